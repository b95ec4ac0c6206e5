import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Mayfly } from 'mayfly-client';
import { type StartOptions, startMayfly } from 'mayfly-inbox';
import { afterAll, beforeAll, describe } from 'vitest';
import { needs } from '../../../tools/needs.js';

/** How long a test may wait for an event that is immediate on an idle machine. */
export const PATIENCE_MS = 120_000;

/** The providers' SDKs as users install them: `npm ci --prefix plugins/send-apis/test/sdks`. */
const FOLDER = fileURLToPath(new URL('sdks/', import.meta.url));

const require = createRequire(path.join(FOLDER, 'package.json'));

/** Loads an SDK; an empty object if the SDKs are not installed. Tests that need an SDK are then skipped. */
export const load = (name: string): Answer => (existsSync(path.join(FOLDER, 'node_modules')) ? require(name) : {});

// biome-ignore lint/suspicious/noExplicitAny: a response of an SDK, which defines its own types
export type Answer = any;

/** A service on free ports, in this process, with the send APIs. */
export interface RunningService {
  readonly url: string;
  readonly client: Mayfly;
  /** The emails of an address. */
  emails(address: string): Promise<Answer[]>;
  /** The parsed contents of an address's newest email. */
  parts(address: string): Promise<Answer>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  stop(): Promise<void>;
}

export async function startService(options: StartOptions = {}): Promise<RunningService> {
  const service = await startMayfly({ domain: 'inbox.example.com', fetchLimit: 'off', readLimit: 'off', ...options });
  const { url } = service;
  const inboxOf = (address: string) => `${url}/api/inbox/${encodeURIComponent(address.split('@')[0] ?? '')}`;
  const emails = async (address: string) => {
    const answer: Answer = await (await fetch(inboxOf(address))).json();
    return answer.emails;
  };
  return {
    url,
    client: new Mayfly({ baseUrl: url }),
    emails,
    async parts(address) {
      const [{ receivedAt }] = await emails(address);
      return (await fetch(`${inboxOf(address)}/${receivedAt}/parts`)).json();
    },
    post: (where, body, headers = {}) =>
      fetch(url + where, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    stop: () => service.stop(),
  };
}

/** Returns an address that no other test uses. */
export function freshAddress(domain = 'inbox.example.com'): string {
  return `u${randomBytes(6).toString('hex')}@${domain}`;
}

/** Limits that a few messages reach. */
const SMALL: StartOptions = { maxRecipients: 5, maxMessage: '64KiB', maxEmails: 2 };

/** Defines tests of an SDK with their own service. Skips the tests if no SDK is installed. */
export function describeSdk(title: string, options: StartOptions, tests: (service: RunningService) => void): void {
  describe(title, needs('SDKs for Node'), () => {
    const service = {} as RunningService;
    beforeAll(async () => {
      Object.assign(service, await startService({ ...SMALL, ...options }));
    }, PATIENCE_MS);
    afterAll(() => service.stop());
    tests(service);
  });
}

/** Starts a service for all tests of the file that calls this. */
export async function serviceOfFile(options?: StartOptions): Promise<RunningService> {
  const service = await startService(options);
  afterAll(() => service.stop());
  return service;
}
