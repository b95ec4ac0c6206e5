const { load } = require('./bundle.js');

exports.startMayfly = load('start-mayfly.js').startMayfly;
