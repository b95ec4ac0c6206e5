import { createHash } from 'node:crypto';
import { inboxName } from 'mayfly-protocol/inbox-name';
import { base32 } from 'mayfly-protocol/private-name';
import { SharedMap } from '../base/bounded-map.js';
import type { Appended } from '../store/store.js';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Visible ASCII, so that a password fits in a header, an environment variable and an SMTP URL. */
const PASSWORD = /^[!-~]{6,128}$/;

/** Prefix of the stored names of an ad-hoc workspace's inboxes. For held mail, a dot precedes it. */
const PREFIX = /^\.?([a-z2-7]{26})\//;

/** Begins the hashed text, so that no other hash, such as that of a private inbox, can be made of the same text. */
const LABEL = 'mayfly space';

/** The key of an ad-hoc workspace (D66), which does not reveal its credentials; null if these are invalid. */
export function adHocOf({ user, password }: Credentials): string | null {
  const name = inboxName(user);
  if (name === null || !PASSWORD.test(password)) return null;
  return base32(createHash('sha256').update(`${LABEL}\0${name}\0${password}`).digest());
}

/** The credentials in `user:password`; null without a colon. */
export function parseCredentials(text: string): Credentials | null {
  const colon = text.indexOf(':');
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The stored name of an inbox in an ad-hoc workspace. It is unique, because no inbox name or domain has a slash. */
export function storedInbox(adHoc: string | null, inbox: string): string {
  return adHoc === null ? inbox : `${adHoc}/${inbox}`;
}

export function adHocIn(inbox: string): string | null {
  return PREFIX.exec(inbox)?.[1] ?? null;
}

export function bareInbox(inbox: string): string {
  return inbox.replace(PREFIX, '');
}

/** Maximum number of workspaces remembered, a few MB at most. Each counts toward the client that first used it. */
const MAX_WORKSPACES = 10_000;

/** The retention has this many slices. A message may count toward the quota for one slice after its expiry. */
const SLICES = 30;

/** Approximate store overhead of a message, and of each further recipient (docs/operations.md). */
const MAIL_BYTES = 1_500;
const RECIPIENT_BYTES = 500;

/** The ad-hoc workspace of the recipients is full (D66). */
export interface AdHocFull {
  readonly stored: false;
  readonly reason: 'space-full';
}

interface AdHocLoad {
  readonly client: string | null;
  readonly bytes: number;
  readonly recipients: number;
}

type Append = () => Promise<Appended>;

/** The bytes of each slice, by the slice's number. */
interface Account {
  readonly client: string;
  readonly slices: Map<number, number>;
}

export type AdHocQuota = ReturnType<typeof adHocQuotaOf>;

/** Limits what an ad-hoc workspace receives within the retention (D66). Deleted mail counts until it expires. */
export function adHocQuotaOf(maxBytes: number, retentionMs: number) {
  const accounts = new SharedMap<string, Account>({ maxSize: MAX_WORKSPACES });
  const sliceMs = retentionMs / SLICES;
  return {
    /** Stores a message if its ad-hoc workspace has room. `now` is in milliseconds and must not decrease. */
    async append(inbox: string, mail: AdHocLoad, now: number, append: Append): Promise<Appended | AdHocFull> {
      const adHoc = adHocIn(inbox);
      if (adHoc === null) return append();
      const slice = Math.floor(now / sliceMs);
      const account = accounts.get(adHoc) ?? { client: mail.client ?? '', slices: new Map() };
      const bytes = mail.bytes + MAIL_BYTES + RECIPIENT_BYTES * (mail.recipients - 1);
      if (heldBy(account, slice) + bytes > maxBytes) return { stored: false, reason: 'space-full' };
      accounts.set(adHoc, account, account.client);
      count(account, slice, bytes);
      let isStored = false;
      try {
        const appended = await append();
        isStored = appended.stored;
        return appended;
      } finally {
        if (!isStored) count(account, slice, -bytes);
      }
    },

    hasMail: (adHoc: string): boolean => [...(accounts.get(adHoc)?.slices.values() ?? [])].some((bytes) => bytes > 0),
  };
}

function count({ slices }: Account, slice: number, bytes: number): void {
  slices.set(slice, (slices.get(slice) ?? 0) + bytes);
}

function heldBy({ slices }: Account, slice: number): number {
  let bytes = 0;
  for (const [number, held] of slices) {
    if (number < slice - SLICES) slices.delete(number);
    else bytes += held;
  }
  return bytes;
}
