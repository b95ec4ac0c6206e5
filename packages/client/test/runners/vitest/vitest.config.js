import { defineConfig } from 'vitest/config';

/** The global setup; empty for a run without one. */
const { GLOBAL_SETUP = 'mayfly-client/vitest/setup' } = process.env;

export default defineConfig({ test: { globalSetup: GLOBAL_SETUP ? [GLOBAL_SETUP] : [], maxWorkers: 2 } });
