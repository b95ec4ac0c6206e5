import {
  MayflyGoneError,
  MayflyNetworkError,
  MayflyRateLimitError,
  MayflyResponseError,
  type RunResponse,
  type ServiceSettings,
} from 'mayfly-client';
import { checkedInbox, inboxApi, newName, type PageApi, readSettings, runPage } from 'mayfly-client/api';

/** Mail for any domain is accepted; this one never leads anywhere else (RFC 2606). */
const ANY_DOMAIN = 'inbox.example.com';

/** After how long to ask again where a refusal for the rate of requests does not say it. */
const STANDARD_RETRY_MS = 1_000;

/** A user and a password as the service takes them; a workspace and its key have no colon. */
const SPACE = /^[\w.+-]{1,64}:[!-~]{6,128}$/;

/** How a request went: answered, refused for the rate of requests, or not answered at all. */
export type Reach = 'answered' | 'limited' | 'away';

/** The service that this page came from: what the client does, and what there is beyond it. */
export class Service {
  /** What goes into the Authorization header, or null without a key. */
  readonly key: string | null;
  /** The pair of its space, however it was written; empty outside of every space. */
  readonly space: string;
  readonly #options: Readonly<Record<'baseUrl' | 'domain' | 'apiKey' | 'space', string>>;
  readonly #secret: string | null;
  readonly #workspace: string | undefined;

  /**
   * `apiKey` is written `NAME=KEY`, or `USER:PASSWORD` for a space, or empty; throws `MayflyOptionError` when it is
   * neither. `secret` opens a private inbox.
   */
  constructor(apiKey: string, secret: string | null = null) {
    const space = SPACE.test(apiKey) ? apiKey : '';
    this.#options = { baseUrl: location.origin, domain: ANY_DOMAIN, apiKey: space === '' ? apiKey : '', space };
    this.#secret = secret;
    this.#workspace = readSettings(this.#options).workspace?.name;
    const key = space || apiKey.slice(apiKey.indexOf('=') + 1);
    this.space = space.replace(/^[^:]*/, (user) => user.toLowerCase());
    this.key = space || (secret ?? (key === '' ? null : key));
  }

  /** A new name for an inbox, as the client makes it. */
  newName(): string {
    return newName(this.#workspace);
  }

  /** The operations on one inbox, named as by `inboxNamed`. `onReach` hears of every answer as soon as it begins. */
  inbox(inbox: string, onReach: (reach: Reach) => void = () => {}): PageApi {
    return inboxApi(inbox, { ...this.#options, fetch: watched(onReach) }, 'browser', this.#secret);
  }

  /** Public, so no key is sent: a wrong one would keep the page from knowing even its address. */
  async settings(): Promise<ServiceSettings> {
    return (await answered(fetch('/api/settings'))).json();
  }

  /** Whether the service answers at all. */
  isThere(): Promise<boolean> {
    return fetch('/healthz').then(
      () => true,
      () => false,
    );
  }

  /** A page of the tests of a run. */
  run(secret: string, from: number, signal: AbortSignal): Promise<RunResponse> {
    return runPage(secret, from, this.#options, signal);
  }

  async joinWaitlist(email: string): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await answered(fetch('/api/waitlist', { method: 'POST', headers, body: JSON.stringify({ email }) }));
  }

  /** What is at a path of the service, with the key. */
  ask(path: string, signal: AbortSignal): Promise<Response> {
    const headers = new Headers(this.key === null ? {} : { authorization: `Bearer ${this.key}` });
    return answered(fetch(path, { headers, signal }));
  }

  /**
   * The beginning of a message as it came, up to a number of bytes. No more than that is read, so that it costs no
   * more.
   */
  async source(inbox: string, receivedAt: string, maxBytes: number, signal: AbortSignal): Promise<string> {
    const { body } = await this.ask(`${emailPath(inbox, receivedAt)}/raw`, signal);
    return body === null ? '' : beginning(body.getReader(), maxBytes);
  }
}

function watched(onReach: (reach: Reach) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    onReach(response.status === 429 ? 'limited' : 'answered');
    return response;
  };
}

/** An answer to a request that the client does not make; rejects with the client's errors. */
async function answered(asked: Promise<Response>): Promise<Response> {
  const response = await asked.catch((cause: unknown) => {
    throw new MayflyNetworkError('No answer.', { baseUrl: location.origin }, { cause });
  });
  if (response.ok) return response;
  const { status } = response;
  const message = `The answer was ${status}.`;
  if (status === 429) throw new MayflyRateLimitError(message, { status, retryAfterMs: STANDARD_RETRY_MS });
  throw new (status === 404 ? MayflyGoneError : MayflyResponseError)(message, { status });
}

async function beginning(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let room = maxBytes;
  while (room > 0) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, room), { stream: true });
    room -= value.length;
  }
  await reader.cancel();
  return text;
}

/** Where the operations on one email are. */
export function emailPath(inbox: string, receivedAt: string): string {
  return `/api/inbox/${encodeURI(inbox)}/${receivedAt}`;
}

/** What names an inbox that is given by its name or its address. Throws `MayflyOptionError` when it is neither. */
export const inboxNamed = checkedInbox;

/** The same for a service whose settings are known: an inbox of its first domain needs none. */
export function inboxAt(inbox: string, settings: ServiceSettings): string {
  const name = inbox.split('@', 1)[0] ?? '';
  return addressOf(name, settings) === inbox ? name : inbox;
}

/** Where the page of an inbox is. */
export function pagePath(inbox: string): string {
  // What was reported to a run as an inbox may be any text, half of a letter included, which cannot be encoded.
  return `/inbox/${encodeURIComponent(inbox.replace(/\p{Cs}/gu, '\ufffd')).replace('%40', '@')}`;
}

/** The address of an inbox. Where mail of any domain is accepted, a domain is made up. */
export function addressOf(inbox: string, { domains }: ServiceSettings): string {
  return inbox.includes('@') ? inbox : `${inbox}@${domains.find((domain) => domain !== '*') ?? ANY_DOMAIN}`;
}

/** Whom mail is accepted for, in words. */
export function recipientsOf({ domains }: ServiceSettings): string {
  return domains.includes('*') ? 'any address' : `any name at ${domains.join(' or ')}`;
}

/** Where an application finds SMTP: a service that listens everywhere is where this page is. */
export function smtpHost({ smtp: { host } }: ServiceSettings): string {
  return host === '0.0.0.0' || host === '::' ? location.hostname : host;
}

/** The host and port of SMTP, as in an address. */
export function smtpServer(settings: ServiceSettings): string {
  const host = smtpHost(settings);
  return `${host.includes(':') ? `[${host}]` : host}:${settings.smtp.port}`;
}
