import { defineConfig } from '@playwright/test';
import { mayflyServer } from 'mayfly-client/playwright';

/** "npm run test:examples" gives free ports and the system's Chromium; otherwise they are the usual ones. */
const { APP_PORT = '3000', CHROMIUM, MAYFLY_HTTP_PORT = '8080' } = process.env;

/** Keeps Chromium from calling home. It cannot build its sandbox for the root user, who runs it in most containers. */
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
  reporter: 'list',
  outputDir: 'test-results',
  timeout: 120_000,
  use: {
    baseURL: appUrl,
    launchOptions: { args: CHROMIUM_FLAGS, ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }) },
  },
  webServer: [
    mayflyServer({ logLevel: 'warn' }),
    {
      command: `npx next dev --hostname 127.0.0.1 --port ${APP_PORT}`,
      url: appUrl,
      timeout: 180_000,
      env: {
        RESEND_API_KEY: 're_any',
        // The one setting that sends to Mayfly.
        RESEND_BASE_URL: `http://127.0.0.1:${MAYFLY_HTTP_PORT}`,
        NEXT_TELEMETRY_DISABLED: '1',
      },
    },
  ],
});
