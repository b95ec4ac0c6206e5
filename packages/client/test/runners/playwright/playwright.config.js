import { defineConfig } from '@playwright/test';
import { mayflyServer } from 'mayfly-client/playwright';

/** How it starts Mayfly, as JSON; without it, it does not. */
const { START_WITH } = process.env;

export default defineConfig({
  workers: 2,
  reporter: 'list',
  ...(START_WITH && { webServer: mayflyServer(JSON.parse(START_WITH)) }),
});
