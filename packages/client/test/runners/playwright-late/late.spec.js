import { expect, test } from 'mayfly-client/playwright';
import { testLateMail } from '../together.cjs';

testLateMail(test, expect);
