import { defineConfig } from 'vitest/config';

/** The set-up of the run; empty where it has none. */
const { GLOBAL_SETUP = 'mayfly-client/vitest/setup' } = process.env;

export default defineConfig({ test: { globalSetup: GLOBAL_SETUP ? [GLOBAL_SETUP] : [], maxWorkers: 2 } });
