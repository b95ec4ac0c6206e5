/** Checks that the providers' own verifiers accept exactly what webhooks() and inbound() post. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inbound } from 'mayfly-client/inbound';
import { sendgridKeys, type WebhookFaults, webhooks } from 'mayfly-client/webhooks';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { type Arrived, applicationOfFile, EMAIL, RESEND_SECRET } from './webhook-fixtures.js';

/** Loads a provider's package, which `npm ci --prefix packages/client/test/consumers` installs. */
const load = createRequire(path.join(fileURLToPath(new URL('consumers/', import.meta.url)), 'package.json'));

const { application, last } = await applicationOfFile();
const keys = await sendgridKeys();

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

/** What posts to the application. */
const POSTS = {
  'webhooks()': (name: string, faults?: WebhookFaults) => webhooks(optionsOf(name)).bounced(EMAIL, faults),
  'inbound()': (name: string, faults?: WebhookFaults) =>
    inbound(optionsOf(name)).reply(EMAIL, { text: 'Grüße' }, faults),
};

function optionsOf(name: string) {
  const as = name.startsWith('resend') ? 'resend' : 'sendgrid';
  return { as, url: application.url, secret: as === 'resend' ? RESEND_SECRET : keys.secret } as const;
}

function passes(name: string, post: Arrived): boolean {
  try {
    return VERIFIERS[name]?.(post) !== false;
  } catch (error) {
    expect(`${error}`).toMatch(/signature|timestamp/i);
    return false;
  }
}

describe.each(Object.keys(VERIFIERS))('the verifier of %s', needs('runners and frameworks'), (name) => {
  test.each(Object.entries(POSTS))(
    'accepts a post of %s, and rejects a wrong signature and a body with one byte changed',
    async (_, post) => {
      await post(name, { signature: 'wrong' });
      expect(passes(name, last())).toBe(false);
      await post(name);
      expect(passes(name, last())).toBe(true);
      expect(passes(name, { ...last(), body: last().body.replace('a', 'b') })).toBe(false);
      await post(name, { signature: 'stale' });
      // SendGrid's verifier accepts signatures of any age.
      expect(passes(name, last())).toBe(name.startsWith('sendgrid'));
    },
  );
});
