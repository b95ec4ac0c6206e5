import type { Page } from '@playwright/test';
import type { Transporter } from 'nodemailer';
import { afterAll, beforeAll } from 'vitest';
import { endAll, type RunningMayfly, serve, transportTo } from '../../server/test/service/process.js';

/** A workspace whose inboxes begin with `acme-`, and its key, as the page and the setting take it. */
export const WORKSPACE = 'acme=acme-key-of-16-chars';

export interface SharedMayfly extends Pick<RunningMayfly, 'url' | 'smtpPort'> {
  /** Sends to it. */
  readonly smtp: Transporter;
}

/** The service of all cases of a `describe`, from their beginning to their end, and what sends mail to it. */
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

/** Opens an address in a tab that has the key of the workspace. */
export async function goWithKey(page: Page, url: string): Promise<void> {
  await page.addInitScript((key) => sessionStorage.setItem('mayfly-api-key', key), WORKSPACE);
  await page.goto(url);
}
