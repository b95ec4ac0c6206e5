import {
  type Addressee,
  type App,
  type CountedLines,
  type Log,
  type Reader,
  type RefusedRecipient,
  type Reply,
  type Request,
  readerOf,
  recipientErrors,
  rowName,
  type Service,
  type Settings,
  smtpErrors,
} from 'mayfly-inbox/plugin';
import { countMail, type SentBodies } from '../sent-bodies.js';
import { type Answer, type AnswerTo, sendAnswer } from './answer.js';
import { Delivery, notAnInbox, type Outcome, simulatedRefusal } from './delivery.js';
import { faultIn } from './faults.js';
import { withoutAddresses } from './kept-body.js';
import type { Composed, OrderDetails, ReadyMail } from './order-task.js';
import { isProblem, type Problem, ProblemError, refuse } from './problem.js';
import { logRefusal, type NotedMail, noted } from './refusals.js';
import type { SentMail } from './sent-mail.js';

export interface Provider {
  readonly answer: AnswerTo;
  addRoutes(api: App, desk: Desk): void;
  /** Paths below which unknown requests get a response in the provider's format. `addRoutes` adds none for them. */
  readonly roots: readonly string[];
  /** The allowed values of a parameter in `roots`, such as `:domain`; if undefined, any value. */
  readonly resources?: readonly string[];
}

type MediaType =
  | 'application/json'
  | 'application/x-amz-json-1.0'
  | 'application/x-www-form-urlencoded'
  | 'multipart/form-data';

export interface SendRoute {
  readonly path: string;
  readonly translator: OrderDetails['translator'];
  readonly mediaTypes?: readonly MediaType[];
  /** Whether each of several messages may fail alone. Otherwise one rejected message rejects all. */
  isPermissive?(request: Request, action: string): boolean;
  accepted(outcomes: readonly Outcome[], request: Request, action: string): Answer;
}

export interface DeskOptions {
  readonly host: Service;
  readonly name: string;
  readonly provider: Provider;
  readonly bodies: SentBodies;
  readonly sent: SentMail;
  readonly lines: CountedLines;
  readonly log: Log;
  readonly settings: Pick<Settings, 'max-message' | 'max-recipients'> & { readonly templates?: string | null };
}

type ToSend = Composed & { readonly raws: readonly Uint8Array[]; readonly noted: readonly NotedMail[] };

/** Base64 is a third larger than its content; `SPARE_BYTES` is for the other fields. */
const BODY_FACTOR = 4 / 3;
const SPARE_BYTES = 256 * 1024;
const EMPTY = new Uint8Array();
const TOO_LARGE = rowName(smtpErrors.messageTooLarge);

/** Handles send requests: parses and composes them in a parser thread, and delivers their messages as SMTP does. */
export class Desk {
  readonly provider: Provider;
  readonly sent: SentMail;
  readonly host: Service;
  readonly #options: DeskOptions;
  readonly #bounded: ReturnType<SentBodies['upTo']>;
  readonly #noted = new WeakSet<Request>();

  constructor(options: DeskOptions) {
    this.provider = options.provider;
    this.sent = options.sent;
    this.host = options.host;
    this.#options = options;
    this.#bounded = options.bodies.upTo(Math.ceil(options.settings['max-message'] * BODY_FACTOR) + SPARE_BYTES);
  }

  /** Adds a route that sends. `around` may respond without calling `take`, or inspect the response of `take`. */
  add(api: App, route: SendRoute, around: Around = (_request, _body, take) => take()): void {
    const { onRequest, ...bounded } = this.#bounded;
    api.route({
      ...SEND,
      ...bounded,
      method: 'POST',
      url: route.path,
      onRequest: async (request) => {
        checkMediaType(request, route.mediaTypes ?? ['application/json']);
        await countMail(request, this.host);
        await onRequest(request);
      },
      handler: async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        request.body = undefined;
        return sendAnswer(reply, await around(request, body, () => this.#take(route, request, body, reply)));
      },
    });
  }

  /** Adds a route that finds a message by its ID. Each request counts toward the message limit. */
  addFinding(api: App, path: string, answer: Finding, method: 'GET' | 'PATCH' | 'POST' | 'DELETE' = 'GET'): void {
    api.route<{ Params: { id: string; domain: string } }>({
      ...SEND,
      method,
      url: path,
      onRequest: (request) => countMail(request, this.host),
      handler: async (request, reply) => sendAnswer(reply, await answer(request, readerOf(reply))),
    });
  }

  /** Logs a rejected request. Adds it to the delivery log unless it is already there or the client has disconnected. */
  refused(request: Request, problem: Problem, isHeard: boolean): void {
    logRefusal(this.#options, request.caller.client, problem);
    if (isHeard && !this.#noted.has(request)) noted(this.#options, request, problem).refused(problem);
  }

  async #take(route: SendRoute, request: Request, body: Buffer, reply: Reply): Promise<Answer> {
    const composed = await this.#composed(route, request, body, reply);
    const { refused, mails } = composed;
    const all = (refused === null ? mails : [refused]).map((mail) => noted(this.#options, request, mail));
    this.#noted.add(request);
    try {
      if (refused !== null) throw new ProblemError(refused);
      return await this.#send(route, request, reply, { ...composed, noted: all });
    } catch (error) {
      const { problem } = faultIn(error as Error, 0);
      for (const one of all) one.refused(problem);
      throw error;
    }
  }

  async #send(route: SendRoute, request: Request, reply: Reply, { mails, body, action, raws, noted }: ToSend) {
    const { name, log, bodies } = this.#options;
    const { mail: slot, records, clock } = this.host;
    const { client, adHoc } = request.caller;
    const isPermissive = route.isPermissive?.(request, action) ?? false;
    const allowed = (mail: Outcome) => {
      if (isProblem(mail) && !isPermissive) throw new ProblemError(mail);
      return mail;
    };
    const checked = mails.map((mail, at) => allowed(this.#check(mail, raws[at] ?? EMPTY, adHoc)));
    // Skips the first message, which was counted before the body arrived.
    const ready = checked.filter((mail) => !isProblem(mail));
    for (let more = 1; more < ready.length; more += 1) await countMail(request, this.host);
    const asked: Outcome[] = [];
    for (const mail of checked) {
      asked.push(allowed((isProblem(mail) ? null : await simulatedRefusal(slot, adHoc, mail)) ?? mail));
    }
    const delivery = new Delivery({ mail: slot, records, clock, client, log });
    const kept = this.#keptBody(mails, body, adHoc);
    const items = asked.map((mail, at) => {
      if (isProblem(mail)) return mail;
      const path = request.url.split('?', 1)[0] ?? '';
      const { id, notes } = mail;
      const sendApi = { provider: name, id, request: `${request.method} ${path.slice(0, 200)}`, body: kept, notes };
      const noteKept = (receivedAt: readonly number[]) => noted[at]?.kept(receivedAt);
      return { mail, recipients: this.#addresseesOf(mail, adHoc), raw: raws[at] ?? EMPTY, sendApi, noteKept };
    });
    const outcomes = isPermissive ? await delivery.each(items) : await delivery.all(items);
    for (const [at, outcome] of outcomes.entries()) {
      if (!isProblem(outcome)) continue;
      noted[at]?.refused(outcome);
      logRefusal(this.#options, client, outcome);
    }
    await bodies.end(request, reply, delivery.endings);
    return route.accepted(outcomes, request, action);
  }

  /** Returns the part of the body to store with each message, without what only another owner may see (D15). */
  #keptBody(mails: ToSend['mails'], body: unknown, adHoc: string | null): unknown {
    // Null stands for the recipients of an invalid message, which may be unknown.
    const inboxes = mails.flatMap((mail) =>
      isProblem(mail) ? null : this.#addresseesOf(mail, adHoc).map(({ inbox }) => inbox),
    );
    if (this.host.access.haveOneOwner(inboxes)) return body;
    return mails.length === 1 ? withoutAddresses(body) : null;
  }

  #addresseesOf({ recipients }: ReadyMail, adHoc: string | null): readonly Addressee[] {
    const addressees = recipients.map((address) => this.host.mail.recipientOf(address, adHoc));
    return addressees.filter((one) => typeof one !== 'string');
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
      templates: settings.templates ?? null,
    };
    const { client, signal } = readerOf(reply);
    const [json = EMPTY, ...raws] = await run(task('order', details), { client, pieces: [body], signal });
    const composed: Composed = JSON.parse(Buffer.from(json).toString());
    return { ...composed, raws };
  }

  /** Checks a message as SMTP does before accepting it. */
  #check(mail: Outcome, raw: Uint8Array, adHoc: string | null): Outcome {
    if (isProblem(mail)) return mail;
    const { 'max-message': most } = this.#options.settings;
    if (raw.length > most) {
      return { kind: 'too-large', row: TOO_LARGE, detail: `The mail is larger than ${most} bytes (--max-message).` };
    }
    if (mail.recipients.length === 0) return { kind: 'missing', field: 'to' };
    for (const address of mail.recipients) {
      const recipient = this.host.mail.recipientOf(address, adHoc);
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

export function idIn([mail]: readonly Outcome[]): string {
  return mail === undefined || isProblem(mail) ? '' : mail.id;
}

/** The options of routes that count toward the message limit and accept a key where the provider's SDK puts it. */
const SEND = { config: { limit: 'send' } } as const;

export type Finding = (request: Request<{ id: string; domain: string }>, by: Reader) => Promise<Answer>;

export type Around = (request: Request, body: Buffer, take: () => Promise<Answer>) => Promise<Answer>;

/** Throws `media-type` for formats other than `allowed`, because web pages may send some formats to any site. */
function checkMediaType({ headers }: Request, allowed: readonly MediaType[]): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (!allowed.some((one) => one === type)) refuse('media-type', { detail: allowed.join(' or ') });
}
