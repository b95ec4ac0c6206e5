import {
  type Addressee,
  BoundedMap,
  type Clock,
  type Delivered,
  type HeldMail,
  type IncomingMail,
  type MailSlot,
  type RefusedRecipient,
  type Released,
  type SmtpError,
  type WindowCounter,
} from 'mayfly-inbox/plugin';
import { delayOf, type Fault, isSimulating, type Script, scriptOf } from 'mayfly-protocol/fault-script';
import { nameIn } from 'mayfly-protocol/inbox-name';
import { SMTP_ERRORS, simulatedDelay, simulatedError } from './errors.js';

/** Maximum number of pending delays per client address, because each may hold a connection. */
const MAX_DELAYS_PER_CLIENT = 100;

/** Maximum number of delays to count for all clients together. Above it, those of the oldest client are forgotten. */
const MAX_DELAYS = 20_000;

export interface SimulationOptions {
  readonly next: MailSlot;
  readonly held: HeldMail;
  readonly counter: WindowCounter;
  /** How long the store keeps mail, and how long this plugin keeps the progress of scripts. */
  readonly retentionMs: number;
  readonly clock: Clock;
}

/**
 * Applies the script in an inbox's name to the inbox's mail (D56), and passes other mail on. Counts the uses
 * of each fault on all nodes together, and forgets them after the retention time.
 */
export class Simulation implements MailSlot {
  readonly #options: SimulationOptions;
  /** When the delays of a client address end, even if the client disconnects earlier. */
  readonly #delayEnds = new BoundedMap<string, readonly number[]>(MAX_DELAYS, (ends) => ends.length);

  constructor(options: SimulationOptions) {
    this.#options = options;
  }

  recipientOf(address: string, adHoc?: string | null): Addressee | RefusedRecipient {
    return this.#options.next.recipientOf(address, adHoc);
  }

  async refusalOf({ inbox }: Addressee, from: string, until?: 'rcpt' | 'data'): Promise<SmtpError | null> {
    const script = scriptOf(inbox);
    if (script === 'broken') return SMTP_ERRORS.badRehearsal;
    if (script === null) return null;
    const error = await this.#refusal('rcpt', inbox, script, from);
    return error === null && until === 'data' ? this.#refusal('data', inbox, script) : error;
  }

  async deliver(mail: IncomingMail): Promise<Delivered> {
    const { next } = this.#options;
    const scripts = mail.recipients.map(({ inbox }) => scriptIn(inbox));
    if (scripts.every((script) => script === null)) return next.deliver(mail);

    const at = scripts.findIndex((script) => script?.some(isOfMessage) === true);
    const inbox = mail.recipients[at]?.inbox ?? '';
    const script = scripts[at] ?? [];
    const delayMs = delayOf(script);
    if (!this.#mayDelay(mail.client, delayMs)) {
      return { stored: false, reason: 'rehearsed', error: SMTP_ERRORS.tooManyDelays };
    }
    const error = await this.#refusal('data', inbox, script);
    if (error !== null) return { stored: false, reason: 'rehearsed', error, ending: { delayMs, isLost: false } };
    const appended = await this.#keep(mail, scripts);
    if (!appended.stored) return appended;
    return { ...appended, ending: { delayMs, isLost: await this.#isLost(inbox, script) } };
  }

  /**
   * Releases the mail that an inbox whose name has `hold` keeps back: the emails in `order` or, if `order` is null, all
   * emails, and later ones as they arrive. Returns null if the name has no `hold`.
   */
  async release(inbox: string, order: readonly number[] | null): Promise<Released | null> {
    if (!holds(scriptIn(inbox))) return null;
    if (order === null) await this.#use(releasedKey(inbox), 1);
    return this.#options.held.release(inbox, order);
  }

  async #keep(mail: IncomingMail, scripts: readonly (Script | null)[]): Promise<Delivered> {
    const { next, held: heldMail } = this.#options;
    const recipients: Addressee[] = [];
    const places: number[] = [];
    const held = new Set<string>();
    for (const [i, recipient] of mail.recipients.entries()) {
      const script = scripts[i] ?? null;
      const isHeld = holds(script) && !(await this.#isReleased(recipient.inbox));
      if (isHeld) held.add(recipient.inbox);
      const kept = isHeld ? { ...recipient, inbox: heldMail.inboxOf(recipient.inbox) } : recipient;
      places.push(recipients.push(kept) - 1);
      if (script?.some(({ kind }) => kind === 'twice')) recipients.push(kept);
    }
    const appended = await next.deliver({ ...mail, recipients });
    // A concurrent release may have missed this mail, so this releases the mail now.
    for (const inbox of held) if (await this.#isReleased(inbox)) await heldMail.release(inbox, null);
    if (!appended.stored) return appended;
    return { ...appended, receivedAt: places.map((place) => appended.receivedAt[place] as number) };
  }

  async #isLost(inbox: string, script: Script): Promise<boolean> {
    for (const fault of script) {
      if (fault.kind === 'lose' && (await this.#isDue(keyOf(inbox, script, fault), fault))) return true;
    }
    return false;
  }

  /** Returns the error of the first fault that applies. For the faults after it in the script, this is not a use. */
  async #refusal(at: 'rcpt' | 'data', inbox: string, script: Script, from = ''): Promise<SmtpError | null> {
    for (const fault of script) {
      const error = await this.#refusalBy(fault, at, keyOf(inbox, script, fault), from);
      if (error !== null) return error;
    }
    return null;
  }

  async #refusalBy(fault: Fault, at: 'rcpt' | 'data', key: string, from: string): Promise<SmtpError | null> {
    if (fault.kind === 'refuse')
      return fault.at === at && (await this.#isDue(key, fault)) ? simulatedError(fault.code) : null;
    if (at === 'data') return null;
    if (fault.kind === 'greylist') return this.#greylisted(fault.ms, `${key}/${from.toLowerCase()}`);
    if (fault.kind !== 'limit') return null;
    return delayed('limit', await this.#use(key, fault.count, fault.ms));
  }

  /** Defers mail until the same sender retries late enough (RFC 6647 section 2.4). */
  async #greylisted(ms: number, key: string): Promise<SmtpError | null> {
    // Remembers the sender for longer than the delay, even if the retention is shorter, so that its retry is accepted.
    const windowMs = this.#options.retentionMs + ms;
    const untilForgottenMs = await this.#use(key, 1, windowMs);
    const knownForMs = untilForgottenMs === 0 ? 0 : windowMs - untilForgottenMs;
    return delayed('greylist', ms - knownForMs);
  }

  /** Counts a use of a fault that applies only to the first `times` uses, and returns whether the fault applies now. */
  async #isDue(key: string, { times }: Fault & { readonly times: number }): Promise<boolean> {
    return times === Number.POSITIVE_INFINITY || (await this.#use(key, times)) === 0;
  }

  #mayDelay(client: string, delayMs: number): boolean {
    if (delayMs === 0) return true;
    const now = this.#options.clock.monotonic();
    const running = (this.#delayEnds.get(client) ?? []).filter((end) => end > now);
    if (running.length >= MAX_DELAYS_PER_CLIENT) return false;
    this.#delayEnds.set(client, [...running, now + delayMs]);
    return true;
  }

  async #isReleased(inbox: string): Promise<boolean> {
    const { counter, retentionMs, clock } = this.#options;
    const rate = { count: 1, windowMs: retentionMs };
    return (await counter.wait(releasedKey(inbox), rate, clock.monotonic())) > 0;
  }

  /** Counts a use. Resolves to 0 for the first `count` uses, then to the milliseconds until the first is forgotten. */
  async #use(key: string, count: number, windowMs = this.#options.retentionMs): Promise<number> {
    return this.#options.counter.use(key, { count, windowMs }, this.#options.clock.monotonic());
  }
}

/**
 * Returns the mail slot for a service without failure simulation. It rejects mail to a name from
 * `createInbox({ simulate })`, because otherwise a test of a failure would pass although nothing failed.
 */
export function refusing(next: MailSlot): MailSlot {
  return {
    recipientOf: (address, adHoc) => next.recipientOf(address, adHoc),
    refusalOf: async ({ inbox }) => (isSimulating(inbox) ? SMTP_ERRORS.rehearsalsOff : null),
    deliver: (mail) => next.deliver(mail),
  };
}

/** Whether an inbox may hold mail back, even with a script that this version does not accept. */
export function mayHold(inbox: string): boolean {
  return nameIn(inbox).includes('--hold');
}

/** Returns the script in an inbox's name. A name with a broken script was rejected earlier. */
function scriptIn(inbox: string): Script | null {
  const script = scriptOf(inbox);
  return script === 'broken' ? null : script;
}

function isOfMessage(fault: Fault): boolean {
  return fault.kind === 'lose' || fault.kind === 'delay' || (fault.kind === 'refuse' && fault.at === 'data');
}

/** The key of a fault's count. Includes its place in the script, because two equal faults count separately. */
function keyOf(inbox: string, script: Script, fault: Fault): string {
  return `${inbox}/${script.indexOf(fault)}`;
}

function holds(script: Script | null): boolean {
  return script?.some(({ kind }) => kind === 'hold') ?? false;
}

function releasedKey(inbox: string): string {
  return `${inbox}/released`;
}

function delayed(reason: 'greylist' | 'limit', waitMs: number): SmtpError | null {
  return waitMs > 0 ? simulatedDelay(reason, Math.ceil(waitMs / 1_000)) : null;
}
