import { end } from './jest-run.js';

/** A `globalTeardown` of Jest: stops the Mayfly that `mayfly-client/jest/setup` has started. */
export default end;
