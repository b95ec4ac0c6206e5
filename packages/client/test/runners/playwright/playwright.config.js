import { defineConfig } from '@playwright/test';
import { mayflyServer } from 'mayfly-client/playwright';

/** How the run starts Mayfly, as JSON; unset if it does not start it. */
const { START_WITH } = process.env;

export default defineConfig({
  workers: 2,
  reporter: 'list',
  ...(START_WITH && { webServer: mayflyServer(JSON.parse(START_WITH)) }),
});
