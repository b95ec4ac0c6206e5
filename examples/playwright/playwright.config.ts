import { defineConfig } from '@playwright/test';
import { mayflyServer } from 'mayfly-client/playwright';

/** "npm run test:examples" sets a free port and the system's Chromium. The defaults are 3000 and Playwright's browser. */
const { APP_PORT = '3000', CHROMIUM } = process.env;

/** Turns off Chromium's background requests and, for root (as in most containers), its sandbox, which would fail. */
const CHROMIUM_FLAGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const appUrl = `http://127.0.0.1:${APP_PORT}`;

export default defineConfig({
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  workers: 2,
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    baseURL: appUrl,
    launchOptions: { args: CHROMIUM_FLAGS, ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }) },
  },
  webServer: [
    mayflyServer({ logLevel: 'warn' }),
    { command: 'node ../sign-up-app/server.js', url: appUrl, env: { PORT: APP_PORT } },
  ],
});
