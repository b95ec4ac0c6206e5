import { defineConfig } from '@playwright/test';
import { mayflyServer } from 'mayfly-client/playwright';

export default defineConfig({
  reporter: 'line',
  snapshotPathTemplate: '{testDir}/__snapshots__/{arg}{ext}',
  webServer: mayflyServer(),
});
