const { load } = require('./bundle.js');

const { checkStartOptions, SettingsError, startMayfly } = load('start-mayfly.js');

exports.checkStartOptions = checkStartOptions;
exports.SettingsError = SettingsError;
exports.startMayfly = startMayfly;
