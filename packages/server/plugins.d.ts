import type { Plugin } from './src/plugin/define.js';

export const FIRST_PARTY: readonly Plugin[];
