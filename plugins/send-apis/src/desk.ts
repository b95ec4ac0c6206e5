import {
  type App,
  type Log,
  type Reader,
  type RefusedRecipient,
  type Reply,
  type Request,
  readerOf,
  recipientErrors,
  rowName,
  type Service,
  smtpErrors,
} from 'mayfly-inbox/plugin';
import { type BoundedBody, countMail, type SentBodies } from 'mayfly-plugins-shared/sent-bodies';
import type { SendApiRequest } from 'mayfly-protocol';
import { type Answer, sendAnswer } from './answer.js';
import { Delivery, isRefused, type Outcome } from './delivery.js';
import { faultIn } from './faults.js';
import { withoutAddresses } from './kept-body.js';
import { NotedMail, type NotingOptions } from './noted-mail.js';
import { type Problem, ProblemError, refuse } from './problem.js';
import type { Refusals } from './refusals.js';
import { notAnInbox, rehearsedRefusal } from './rehearsed.js';
import type { Composed, OrderDetails, ReadyMail } from './send-tasks.js';
import type { SentMail } from './sent-mail.js';
import type { SendSettings } from './settings.js';

type MediaType = 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data';

export interface SendRoute {
  readonly path: string;
  readonly provider: SendApiRequest['provider'];
  readonly translator: OrderDetails['translator'];
  readonly mediaTypes: readonly MediaType[];
  /** Whether one mail of several may fail alone. Otherwise nothing is sent if one of them is refused. */
  isPermissive?(request: Request, action: string): boolean;
  /** Answers when every mail is stored, or each has failed alone. */
  accepted(outcomes: readonly Outcome[], request: Request, action: string): Answer;
}

/** What a path that names a mail may hold. */
interface PathOfMail {
  readonly id: string;
  readonly domain: string;
}

export interface DeskOptions extends NotingOptions {
  readonly bodies: SentBodies;
  readonly sent: SentMail;
  readonly refusals: Refusals;
  readonly log: Log;
  readonly settings: Pick<SendSettings, 'max-message' | 'max-recipients' | 'templates'>;
}

interface Exchange {
  readonly request: Request;
  readonly reply: Reply;
}

/** What a request asks for, and what is remembered of each of its mails. */
interface ToSend extends Pick<Composed, 'mails' | 'action'> {
  /** The fields of the body, to be kept with the mails. */
  readonly kept: unknown;
  readonly raws: readonly Uint8Array[];
  readonly noted: readonly NotedMail[];
}

/** Base64 takes a third more; the rest is for the other fields. */
const BODY_FACTOR = 4 / 3;

const SPARE_BYTES = 256 * 1024;

const EMPTY = new Uint8Array();

const TOO_LARGE = rowName(smtpErrors.messageTooLarge);

/** Takes requests to send: reads and composes them in a thread, and delivers their mails as SMTP does. */
export class Desk {
  readonly sent: SentMail;
  readonly host: Service;
  readonly #options: DeskOptions;
  readonly #bodies: SentBodies;
  readonly #bounded: BoundedBody;
  /** Requests whose mails are remembered, each by itself. */
  readonly #noted = new WeakSet<Request>();

  constructor(options: DeskOptions) {
    this.sent = options.sent;
    this.host = options.host;
    this.#options = options;
    this.#bodies = options.bodies;
    const maxBytes = Math.ceil(options.settings['max-message'] * BODY_FACTOR) + SPARE_BYTES;
    this.#bounded = options.bodies.upTo(maxBytes);
  }

  /** Adds a route that sends. `around` may answer in place of `take`, or look at what it answers. */
  add(api: App, route: SendRoute, around: Around = (_request, _body, take) => take()): void {
    const { onRequest, ...bounded } = this.#bounded;
    api.post(
      route.path,
      {
        ...SEND,
        ...bounded,
        onRequest: async (request) => {
          checkMediaType(request, route.mediaTypes);
          await countMail(request, this.host);
          await onRequest(request);
        },
      },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        request.body = undefined;
        const answer = await around(request, body, () => this.#take(route, request, body, reply));
        return sendAnswer(reply, answer);
      },
    );
  }

  /** A request is refused. It is remembered like a session where its mails are not known yet. */
  refused(provider: SendApiRequest['provider'], request: Request, problem: Problem): void {
    if (!this.#noted.has(request)) new NotedMail(this.#options, provider, request, problem).refused(problem);
  }

  /** Adds a route that finds a mail by its id. It counts as a mail. */
  addFinding(api: App, path: string, answer: (request: Request<PathOfMail>, by: Reader) => Promise<Answer>): void {
    const onRequest = (request: Request) => countMail(request, this.host);
    api.get<{ Params: PathOfMail }>(path, { ...SEND, onRequest }, async (request, reply) =>
      sendAnswer(reply, await answer(request, readerOf(reply))),
    );
  }

  async #take(route: SendRoute, request: Request, body: Buffer, reply: Reply): Promise<Answer> {
    const composed = await this.#composed(route, request, body, reply);
    const { refused, mails } = composed;
    const noted = (refused === null ? mails : [refused]).map(
      (mail) => new NotedMail(this.#options, route.provider, request, mail),
    );
    this.#noted.add(request);
    try {
      if (refused !== null) throw new ProblemError(refused);
      return await this.#send(route, { request, reply }, { ...composed, noted });
    } catch (error) {
      const { problem } = faultIn(error as Error, 0);
      for (const one of noted) one.refused(problem);
      throw error;
    }
  }

  async #send(route: SendRoute, { request, reply }: Exchange, { mails, kept, action, raws, noted }: ToSend) {
    const space = this.host.access.spaceOf(request);
    const checked = mails.map((mail, at) => this.#check(mail, raws[at] ?? EMPTY, space));
    const isPermissive = route.isPermissive?.(request, action) ?? false;
    const failed = isPermissive ? undefined : checked.find(isRefused);
    if (failed !== undefined) throw new ProblemError(failed);
    const ready = checked.filter((mail) => !isRefused(mail));
    // The first was counted before the body came.
    for (let more = 1; more < ready.length; more += 1) await countMail(request, this.host);
    const client = this.host.access.clientOf(request);
    const asked = await this.#rehearsed(checked, isPermissive, space);
    const delivery = new Delivery(this.host, { client, space }, this.#options.log);
    const body = this.#keptBody(mails, kept, space);
    const items = asked.map((mail, at) => {
      if (isRefused(mail)) return mail;
      const noteKept = (receivedAt: readonly number[]) => noted[at]?.kept(receivedAt);
      return { mail, raw: raws[at] ?? EMPTY, sendApi: sendApi(route, request, mail, body), noteKept };
    });
    const outcomes = isPermissive ? await delivery.each(items) : await delivery.all(items);
    for (const [at, outcome] of outcomes.entries()) {
      if (!isRefused(outcome)) continue;
      noted[at]?.refused(outcome);
      this.#options.refusals.tell({ provider: route.provider, client }, outcome);
    }
    await this.#bodies.end(request, reply, delivery.endings);
    return route.accepted(outcomes, request, action);
  }

  /** The part of a request's body that every reader of each of its messages may see (D15). */
  #keptBody(mails: ToSend['mails'], body: unknown, space: string | null): unknown {
    const { mail: slot, access } = this.host;
    const inboxes = mails.flatMap((mail) => {
      // Not all recipients of such a mail are known.
      if (isRefused(mail)) return null;
      const recipients = mail.recipients.map((address) => slot.recipientOf(address, space));
      return recipients.flatMap((one) => (typeof one === 'string' ? [] : one.inbox));
    });
    if (access.haveOneOwner(inboxes)) return body;
    return mails.length === 1 ? withoutAddresses(body) : null;
  }

  /**
   * Replaces each mail that a recipient's name refuses by its refusal. Throws the first one if it refuses the whole
   * request.
   */
  async #rehearsed(
    mails: readonly Outcome[],
    isPermissive: boolean,
    space: string | null,
  ): Promise<readonly Outcome[]> {
    const asked: Outcome[] = [];
    for (const mail of mails) {
      const { mail: slot } = this.host;
      const refusal = isRefused(mail) ? null : await rehearsedRefusal(slot, space, mail.recipients, mail.from);
      if (refusal !== null && !isPermissive) throw new ProblemError(refusal);
      asked.push(refusal ?? mail);
    }
    return asked;
  }

  async #composed({ translator }: SendRoute, request: Request, body: Buffer, reply: Reply) {
    const { clock, run, task } = this.host;
    const { settings } = this.#options;
    const details: OrderDetails = {
      translator,
      contentType: request.headers['content-type'] ?? '',
      params: { ...(request.params as Record<string, string>) },
      date: clock.now(),
      maxRecipients: settings['max-recipients'],
      templates: settings.templates,
    };
    const { client, signal } = readerOf(reply);
    const [composed = EMPTY, ...raws] = await run(task('order', details), { client, pieces: [body], signal });
    const { refused, mails, body: kept, action }: Composed = JSON.parse(Buffer.from(composed).toString());
    return { refused, mails, kept, action, raws };
  }

  /** What SMTP checks of a message before it takes it. */
  #check(mail: ReadyMail | Problem, raw: Uint8Array, space: string | null): ReadyMail | Problem {
    if (isRefused(mail)) return mail;
    const { 'max-message': most } = this.#options.settings;
    if (raw.length > most) {
      return { kind: 'too-large', row: TOO_LARGE, detail: `The mail is larger than ${most} bytes (--max-message).` };
    }
    if (mail.recipients.length === 0) return { kind: 'missing', field: 'to' };
    for (const address of mail.recipients) {
      const recipient = this.host.mail.recipientOf(address, space);
      if (typeof recipient === 'string') return notServed(recipient, address);
    }
    return mail;
  }
}

function notServed(why: RefusedRecipient, address: string): Problem {
  const error = recipientErrors[why];
  if (why !== 'foreign-domain') return notAnInbox(error, address);
  const detail = `Mayfly accepts no mail for the domain of ${address}. Start it with --domain '*' to accept any.`;
  return { kind: 'not-served', row: rowName(error), address, detail };
}

/** Its requests are counted as mails, and their keys are the provider's. */
export const SEND = { config: { limit: 'send' } } as const;

export type Around = (request: Request, body: Buffer, take: () => Promise<Answer>) => Promise<Answer>;

function sendApi({ provider }: SendRoute, request: Request, mail: ReadyMail, body: unknown): SendApiRequest {
  const path = request.url.split('?', 1)[0] ?? '';
  return { provider, id: mail.id, request: `${request.method} ${path.slice(0, 200)}`, body, notes: mail.notes };
}

/** Throws `media-type` for formats that are not read: web pages may send some to other sites without asking. */
function checkMediaType({ headers }: Request, allowed: readonly MediaType[]): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (!allowed.some((one) => one === type)) refuse('media-type', { detail: allowed.join(' or ') });
}
