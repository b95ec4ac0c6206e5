export type * from './wire.js';
export type * from './wire-all.js';
export type * from './wire-attempts.js';
export type * from './wire-check.js';
export type * from './wire-runs.js';
