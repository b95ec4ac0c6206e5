const { mayflySetup } = require('mayfly-client/jest/setup');

module.exports = mayflySetup({ domain: ['own.test', 'other.test'] });
