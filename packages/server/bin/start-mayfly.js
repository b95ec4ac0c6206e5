const { checkStartOptions, SettingsError, startMayfly } = require('../bundle/start-mayfly.js');

exports.checkStartOptions = checkStartOptions;
exports.SettingsError = SettingsError;
exports.startMayfly = startMayfly;
