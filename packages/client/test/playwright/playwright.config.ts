import { defineConfig } from '@playwright/test';
import type { MayflyTestOptions } from 'mayfly-client/playwright';

/** For playwright.test.ts, which runs these specs, says where Mayfly is and where the output goes. */
export default defineConfig<MayflyTestOptions>({
  retries: 1,
  workers: 2,
  fullyParallel: true,
  reporter: 'json',
  outputDir: process.env.OUTPUT_FOLDER ?? '',
  use: { mayflyOptions: { baseUrl: process.env.URL_OF_MAYFLY } },
});
