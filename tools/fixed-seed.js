// Makes property tests reproducible in CI. Local runs try new random cases.
import fc from 'fast-check';

fc.configureGlobal({ seed: 1 });
