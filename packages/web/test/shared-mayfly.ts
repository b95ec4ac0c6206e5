import type { Page } from '@playwright/test';
import type { Transporter } from 'nodemailer';
import { afterAll, beforeAll } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';

/** The `NAME=KEY` of a workspace, as the page and --workspace accept it. */
export const WORKSPACE = 'acme=acme-key-of-16-chars';

export interface SharedMayfly extends Pick<RunningMayfly, 'url' | 'smtpPort'> {
  readonly smtp: Transporter;
}

/** Starts a service for all cases of a `describe`, and creates a client that sends mail to it. */
export function sharedMayfly(options: readonly string[] = []): SharedMayfly {
  let mayfly: RunningMayfly;
  let smtp: Transporter | undefined;
  beforeAll(async () => {
    mayfly = await serve(['--store', 'memory:', '--workspace', WORKSPACE, ...options]);
    smtp = transportTo(mayfly);
  });
  afterAll(() => {
    smtp?.close();
    endAll();
  });
  return {
    get url() {
      return mayfly.url;
    },
    get smtpPort() {
      return mayfly.smtpPort;
    },
    get smtp() {
      return smtp as Transporter;
    },
  };
}

/** Opens a URL in a tab with a key that the user could have entered. */
export async function goWithKey(page: Page, url: string, key = WORKSPACE): Promise<void> {
  await page.goto(new URL('/openapi.json', url).href);
  await page.evaluate((text) => sessionStorage.setItem('mayfly-api-key', text), key);
  await page.goto(url);
}
