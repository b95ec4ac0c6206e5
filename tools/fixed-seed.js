// In CI, property tests try the same cases for the same commit; runs at a desk find new ones.
import fc from 'fast-check';

fc.configureGlobal({ seed: 1 });
