const { load } = require('./bundle.js');

const { SettingsError, startMayfly } = load('start-mayfly.js');

exports.SettingsError = SettingsError;
exports.startMayfly = startMayfly;
