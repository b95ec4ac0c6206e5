import { expect, test } from 'mayfly-client/vitest';
import { testLateMail } from '../together.cjs';

testLateMail(test, expect);
