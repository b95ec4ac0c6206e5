import { defineConfig } from '@playwright/test';
import { mayflyServer } from 'mayfly-client/playwright';

/** The options with which the run starts Mayfly, as JSON; unset if the run starts no service. */
const { START_WITH } = process.env;

export default defineConfig({
  workers: 2,
  reporter: 'list',
  ...(START_WITH && { webServer: mayflyServer(JSON.parse(START_WITH)) }),
});
