import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { globalSetup: 'mayfly-client/vitest/setup', testTimeout: 30_000 },
});
