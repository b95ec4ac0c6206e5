import { defineConfig } from '@playwright/test';
import type { MayflyTestOptions } from 'mayfly-client/playwright';

/** playwright.test.ts runs these specs and sets Mayfly's address and the output folder. */
export default defineConfig<MayflyTestOptions>({
  retries: 1,
  workers: 2,
  fullyParallel: true,
  reporter: 'json',
  outputDir: process.env.OUTPUT_FOLDER ?? '',
  use: { mayflyOptions: { baseUrl: process.env.URL_OF_MAYFLY } },
});
