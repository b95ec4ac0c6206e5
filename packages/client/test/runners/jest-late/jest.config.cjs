module.exports = require('../jest/jest.config.cjs');
