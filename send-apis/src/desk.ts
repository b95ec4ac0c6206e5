import type { SendApiRequest } from 'mayfly-client';
import {
  type App,
  type Appended,
  type BoundedBody,
  countMail,
  type ExtensionHost,
  type ExtensionWork,
  type Reply,
  type Request,
  readerOf,
  type SentBodies,
  type Settings,
  StoreAwayError,
} from '../../server/dist/extension/extension.js';
import { type Answer, sendAnswer } from './answer.js';
import { checkMediaType, type MediaType } from './media-type.js';
import { NotedMail, type NotingOptions } from './noted-mail.js';
import { type Problem, ProblemError } from './problem.js';
import type { Composed, OrderDetails, ReadyMail } from './send-tasks.js';
import type { SentMail } from './sent-mail.js';

/** What became of a mail: it is stored, or why it is not. */
export type Outcome = ReadyMail | Problem;

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

export interface DeskOptions extends NotingOptions {
  readonly bodies: SentBodies;
  readonly sent: SentMail;
  readonly settings: Pick<Settings, 'max-message' | 'max-recipients' | 'templates'>;
}

interface Delivery {
  readonly mail: ReadyMail;
  readonly raw: Uint8Array;
  readonly sendApi: SendApiRequest;
  readonly noted: NotedMail;
}

/** Base64 takes a third more; the rest is for the other fields. */
const BODY_FACTOR = 4 / 3;

const SPARE_BYTES = 256 * 1024;

const EMPTY = new Uint8Array();

const NOT_STORED: Readonly<Record<Extract<Appended, { stored: false }>['reason'], string>> = {
  'inbox-full': 'The inbox is full (--max-emails): try again when its mail has expired.',
  'store-full': 'The store is full (--store-budget): try again when older mail has expired.',
  'disk-full': 'The disk of the service is full: try again when space has been freed.',
};

/** Takes requests to send: reads and composes them in a thread, and delivers their mails as SMTP does. */
export class Desk {
  readonly sent: SentMail;
  readonly host: ExtensionHost;
  readonly #options: DeskOptions;
  readonly #bounded: BoundedBody;

  constructor(options: DeskOptions) {
    this.sent = options.sent;
    this.host = options.host;
    this.#options = options;
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

  async #take(route: SendRoute, request: Request, body: Buffer, reply: Reply): Promise<Answer> {
    const { mails, kept, action, raws } = await this.#composed(route, request, body, reply);
    const checked = mails.map((mail, at) => this.#check(mail, raws[at] ?? EMPTY));
    const isPermissive = route.isPermissive?.(request, action) ?? false;
    const refused = checked.find(isRefused);
    if (refused !== undefined && (!isPermissive || mails.length === 1)) {
      for (const mail of mails) this.#noted(route, request, mail).recipients(mail, refused).refused(refused);
      throw new ProblemError(refused);
    }
    const ready = checked.filter((mail) => !isRefused(mail));
    // The first was counted before the body came.
    for (let more = 1; more < ready.length; more += 1) await countMail(request, this.host);
    const outcomes: Outcome[] = [];
    for (const [at, mail] of checked.entries()) {
      const noted = this.#noted(route, request, mails[at] ?? mail).recipients(mails[at] ?? mail, refusedOrNull(mail));
      if (isRefused(mail)) {
        noted.refused(mail);
        outcomes.push(mail);
      } else {
        const sent = sendApi(route, request, mail, kept);
        outcomes.push(await this.#deliver({ mail, raw: raws[at] ?? EMPTY, sendApi: sent, noted }, request));
      }
    }
    const failed = outcomes.find(isRefused);
    if (failed !== undefined && !isPermissive) throw new ProblemError(failed);
    return route.accepted(outcomes, request, action);
  }

  async #composed({ translator }: SendRoute, request: Request, body: Buffer, reply: Reply) {
    const { clock, run } = this.host;
    const { settings } = this.#options;
    const details: OrderDetails = {
      translator,
      contentType: request.headers['content-type'] ?? '',
      params: { ...(request.params as Record<string, string>) },
      date: clock.now(),
      maxRecipients: settings['max-recipients'],
      templates: settings.templates,
    };
    const work: ExtensionWork = { extension: 'send-apis', task: 'order', details };
    const { client, signal } = readerOf(reply);
    const [composed = EMPTY, ...raws] = await run(work, { client, pieces: [body], signal });
    const { mails, body: kept, action }: Composed = JSON.parse(Buffer.from(composed).toString());
    return { mails, kept, action, raws };
  }

  /** What SMTP checks of a message before it takes it. */
  #check(mail: ReadyMail | Problem, raw: Uint8Array): ReadyMail | Problem {
    if (isRefused(mail)) return mail;
    const { 'max-message': most } = this.#options.settings;
    if (raw.length > most) return { kind: 'too-large', detail: `The limit is ${most} bytes (--max-message).` };
    if (mail.recipients.length === 0) return { kind: 'missing', field: 'to' };
    for (const address of mail.recipients) {
      const recipient = this.host.mail.recipientOf(address);
      if (recipient === 'foreign-domain') {
        const detail = `Mayfly accepts no mail for the domain of ${address}. Start it with --domain '*' to accept any.`;
        return { kind: 'not-served', address, detail };
      }
      if (recipient === 'bad-name') {
        return { kind: 'not-served', address, detail: `${address} is not the address of a Mayfly inbox.` };
      }
    }
    return mail;
  }

  #noted(route: SendRoute, request: Request, mail: ReadyMail | Problem): NotedMail {
    return new NotedMail(this.#options, route.provider, request, mail);
  }

  async #deliver({ mail, raw, sendApi, noted }: Delivery, request: Request): Promise<Outcome> {
    const { mail: slot, access, clock } = this.host;
    const recipients = mail.recipients
      .map((address) => slot.recipientOf(address))
      .filter((one) => typeof one !== 'string');
    const client = access.clientOf(request);
    const envelope = { envelopeFrom: mail.from, recipients, receivedAt: clock.now() };
    const taken = await slot.deliver({ client, raw, ...envelope, sendApi }).catch((error: unknown) => {
      noted.refused({ kind: 'unavailable' }, error instanceof StoreAwayError ? 'store-away' : 'internal');
      throw error;
    });
    if (taken.stored) {
      noted.kept(taken.receivedAt);
      return mail;
    }
    const full: Problem = { kind: 'full', detail: NOT_STORED[taken.reason] };
    noted.refused(full, taken.reason);
    return full;
  }
}

/** Its requests are counted as mails, and their keys are the provider's. */
export const SEND = { config: { limit: 'send' } } as const;

export type Around = (request: Request, body: Buffer, take: () => Promise<Answer>) => Promise<Answer>;

export function isRefused(outcome: Outcome): outcome is Problem {
  return 'kind' in outcome;
}

function refusedOrNull(outcome: Outcome): Problem | null {
  return isRefused(outcome) ? outcome : null;
}

function sendApi({ provider }: SendRoute, request: Request, mail: ReadyMail, body: unknown): SendApiRequest {
  const path = request.url.split('?', 1)[0] ?? '';
  return { provider, id: mail.id, request: `${request.method} ${path.slice(0, 200)}`, body, notes: mail.notes };
}
