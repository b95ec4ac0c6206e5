const { test } = require('mayfly-client/jest');
const { testLateMail } = require('../together.cjs');

testLateMail(test, expect);
