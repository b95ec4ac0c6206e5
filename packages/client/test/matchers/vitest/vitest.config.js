import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { globalSetup: ['mayfly-client/vitest/setup'], setupFiles: ['mayfly-client/matchers/vitest'] },
});
