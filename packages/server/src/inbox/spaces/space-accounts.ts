import { spaceIn } from './space.js';

/** Spaces remembered, a few MB at most; the one whose last mail is oldest is forgotten first. */
const MAX_SPACES = 10_000;

/** Those whose first mail came from one client: a client that makes up spaces cannot push out others. */
const MAX_SPACES_OF_CLIENT = MAX_SPACES / 4;

/** Slices of the retention: a mail counts at most one slice longer than it can be read. */
const SLICES = 30;

/** About what a mail takes in the store beside its message, and each further recipient (docs/configuration.md). */
const MAIL_BYTES = 1_500;
const RECIPIENT_BYTES = 500;

export interface SpaceSettings {
  readonly spaces: boolean;
  readonly 'space-budget': number;
  readonly retention: number;
}

export function openSpaces(settings: SpaceSettings): SpaceAccounts | null {
  const { spaces, 'space-budget': maxBytes, retention: retentionMs } = settings;
  return spaces ? new SpaceAccounts({ maxBytes, retentionMs }) : null;
}

export interface SpaceBounds {
  /** Most bytes that one space may have stored within the retention. */
  readonly maxBytes: number;
  readonly retentionMs: number;
}

export interface SpaceShare {
  giveBack(): void;
}

/** The bytes of a delivery's message, and a row for each recipient. */
export interface SpaceLoad {
  /** Null if no longer known. */
  readonly client: string | null;
  readonly bytes: number;
  readonly recipients: number;
}

interface Account {
  readonly client: string;
  readonly slices: Map<number, number>;
  /** Mails that were stored, or are being stored. */
  mails: number;
}

/**
 * What each space has stored, so that one run leaves room for the others (D66). Deleted mail counts until it would have
 * expired; each process counts its own.
 */
export class SpaceAccounts {
  /** The one whose last mail is oldest comes first, here and among a client's. */
  readonly #accounts = new Map<string, Account>();
  readonly #ofClients = new Map<string, Set<string>>();
  readonly #maxBytes: number;
  readonly #sliceMs: number;

  constructor({ maxBytes, retentionMs }: SpaceBounds) {
    this.#maxBytes = maxBytes;
    this.#sliceMs = retentionMs / SLICES;
  }

  /** Takes room for a mail; null if there is none. `now` is in milliseconds and must not go back. */
  take(space: string, mail: SpaceLoad, now: number): SpaceShare | null {
    const slice = Math.floor(now / this.#sliceMs);
    const account = this.#accounts.get(space) ?? { client: mail.client ?? '', slices: new Map(), mails: 0 };
    const bytes = mail.bytes + MAIL_BYTES + RECIPIENT_BYTES * (mail.recipients - 1);
    if (heldBy(account, slice) + bytes > this.#maxBytes) return null;
    account.slices.set(slice, (account.slices.get(slice) ?? 0) + bytes);
    this.#keep(space, account);
    account.mails += 1;
    return {
      giveBack: () => {
        account.slices.set(slice, (account.slices.get(slice) ?? 0) - bytes);
        account.mails -= 1;
      },
    };
  }

  #keep(space: string, account: Account): void {
    this.#forget(space);
    const own = this.#ofClients.get(account.client) ?? new Set();
    if (own.size >= MAX_SPACES_OF_CLIENT) this.#forgetFirst(own);
    if (this.#accounts.size >= MAX_SPACES) this.#forgetFirst(this.#accounts);
    this.#accounts.set(space, account);
    this.#ofClients.set(account.client, own.add(space));
  }

  #forgetFirst(spaces: { keys(): Iterable<string> }): void {
    for (const space of spaces.keys()) {
      this.#forget(space);
      return;
    }
  }

  #forget(space: string): void {
    const account = this.#accounts.get(space);
    if (account === undefined) return;
    this.#accounts.delete(space);
    const own = this.#ofClients.get(account.client);
    own?.delete(space);
    if (own?.size === 0) this.#ofClients.delete(account.client);
  }

  hasMail(space: string): boolean {
    return (this.#accounts.get(space)?.mails ?? 0) > 0;
  }
}

/** Takes room in the inbox's space; null outside of spaces, and without them. */
export function roomFor(
  spaces: SpaceAccounts | null,
  inbox: string,
  mail: SpaceLoad,
  now: number,
): SpaceShare | 'none left' | null {
  const space = spaceIn(inbox);
  return spaces === null || space === null ? null : (spaces.take(space, mail, now) ?? 'none left');
}

/** Forgets the slices that are over. */
function heldBy({ slices }: Account, slice: number): number {
  let bytes = 0;
  for (const [number, held] of slices) {
    if (number < slice - SLICES) slices.delete(number);
    else bytes += held;
  }
  return bytes;
}
