import { defineConfig } from '@playwright/test';
import { mayflyServer } from 'mayfly-client/playwright';

export default defineConfig({
  use: { baseURL: 'http://127.0.0.1:3000' },
  webServer: [
    mayflyServer({ domain: 'inbox.example.com' }),
    {
      command: 'npx next dev -H 127.0.0.1',
      url: 'http://127.0.0.1:3000',
      env: { RESEND_API_KEY: 're_any', RESEND_BASE_URL: 'http://127.0.0.1:8080' },
    },
  ],
});
