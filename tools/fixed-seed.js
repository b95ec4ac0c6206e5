/**
 * In CI, property tests try the same cases for the same commit: a case that no run met before is found by a run at a
 * desk.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: 1 });
