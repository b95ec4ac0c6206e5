import config from './playwright.config.js';

// "npm run test:examples" runs playwright.config.js on free ports, with the system's Chromium and longer timeouts.
const { APP_PORT, CHROMIUM: executablePath, MAYFLY_HTTP_PORT } = process.env;

/** Turns off Chromium's background requests and, for root (as in most containers), its sandbox, which would fail. */
const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const [mayfly, app] = config.webServer;
const url = app.url.replace(':3000', `:${APP_PORT}`);
const RESEND_BASE_URL = app.env.RESEND_BASE_URL.replace(':8080', `:${MAYFLY_HTTP_PORT}`);

export default {
  ...config,
  reporter: 'list',
  outputDir: 'test-results',
  timeout: 120_000,
  use: { baseURL: url, launchOptions: { args, executablePath } },
  webServer: [
    mayfly,
    {
      ...app,
      url,
      timeout: 180_000,
      env: { ...app.env, RESEND_BASE_URL, PORT: APP_PORT, NEXT_TELEMETRY_DISABLED: '1' },
    },
  ],
};
