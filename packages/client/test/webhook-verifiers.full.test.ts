/** Checks that the providers' own verifiers accept exactly what webhooks() posts. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sendgridKeys, type WebhooksOptions, webhooks } from 'mayfly-client/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { EMAIL, RESEND_SECRET } from './webhook-email.js';

/** Loads a provider's package, which `npm ci --prefix packages/client/test/consumers` installs. */
const load = createRequire(path.join(fileURLToPath(new URL('consumers/', import.meta.url)), 'package.json'));

interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The last post to `server`, which acts as the application. */
let last: Arrived;
const server = createServer(async (request, response) => {
  last = { headers: request.headers, body: await text(request) };
  response.end();
});
let url: string;
let keys: Awaited<ReturnType<typeof sendgridKeys>>;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  keys = await sendgridKeys();
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Each verifier throws or returns false for a wrong signature. */
const VERIFIERS: Record<string, ({ headers, body }: Arrived) => unknown> = {
  'resend (its SDK)': ({ headers, body }) => {
    const { Resend } = load('resend');
    const named = {
      id: headers['svix-id'],
      timestamp: headers['svix-timestamp'],
      signature: headers['svix-signature'],
    };
    return new Resend('re_any').webhooks.verify({ payload: body, headers: named, webhookSecret: RESEND_SECRET });
  },
  'resend (svix)': ({ headers, body }) => new (load('svix').Webhook)(RESEND_SECRET).verify(body, headers),
  'resend (standardwebhooks)': ({ headers, body }) => {
    const named = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('svix', 'webhook'), value]),
    );
    return new (load('standardwebhooks').Webhook)(RESEND_SECRET).verify(body, named);
  },
  'sendgrid (its SDK)': ({ headers, body }) => {
    const { EventWebhook, EventWebhookHeader } = load('@sendgrid/eventwebhook');
    const own = new EventWebhook();
    const [signature, timestamp] = [EventWebhookHeader.SIGNATURE(), EventWebhookHeader.TIMESTAMP()];
    const key = own.convertPublicKeyToECDSA(keys.publicKey);
    return own.verifySignature(key, body, headers[signature.toLowerCase()], headers[timestamp.toLowerCase()]);
  },
};

const hooksOf = (name: string) => {
  const as = name.split(' ')[0] as WebhooksOptions['as'];
  return webhooks({ as, url, secret: as === 'resend' ? RESEND_SECRET : keys.secret });
};

function passes(name: string, post: Arrived): boolean {
  try {
    return VERIFIERS[name]?.(post) !== false;
  } catch (error) {
    expect(`${error}`).toMatch(/signature/i);
    return false;
  }
}

describe.each(Object.keys(VERIFIERS))('the verifier of %s', needs('runners and frameworks'), (name) => {
  test('accepts a post, and rejects a wrong signature and a body with one byte changed', async () => {
    await hooksOf(name).bounced(EMAIL, { signature: 'wrong' });
    expect(passes(name, last)).toBe(false);
    await hooksOf(name).bounced(EMAIL);
    expect(passes(name, last)).toBe(true);
    expect(passes(name, { ...last, body: last.body.replace('m1@', 'm2@') })).toBe(false);
  });
});
