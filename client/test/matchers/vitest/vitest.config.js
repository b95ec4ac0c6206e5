import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { setupFiles: ['mayfly-client/matchers/vitest'] } });
