import { type ErrorResponse, type Explanation, Mayfly, MayflyResponseError, type ServiceSettings } from 'mayfly-client';

/** Mail for any domain is accepted; this one never leads anywhere else (RFC 2606). */
const ANY_DOMAIN = 'inbox.test';

/** The service that this page came from: what the client does, and what there is beyond it. */
export class Service {
  readonly mayfly: Mayfly;
  /** What goes into the Authorization header, or null without a key. */
  readonly key: string | null;
  readonly #onReach: (isReached: boolean) => void;

  /**
   * `apiKey` is written `NAME=KEY`, or empty; throws `MayflyOptionError` when it is neither. `onReach` is told of every request
   * whether it got an answer.
   */
  constructor(apiKey: string, onReach: (isReached: boolean) => void = () => {}) {
    this.#onReach = onReach;
    this.mayfly = new Mayfly({ baseUrl: location.origin, domain: ANY_DOMAIN, apiKey, fetch: this.#fetch });
    this.key = apiKey === '' ? null : apiKey.slice(apiKey.indexOf('=') + 1);
  }

  /** Anybody may ask for these, so no key goes along: a wrong one would keep the page from knowing even its address. */
  async settings(): Promise<ServiceSettings> {
    return (await this.#answered('/api/settings')).json();
  }

  async explanation(inbox: string, receivedAt: string): Promise<Explanation> {
    return (await this.#ask(`${emailPath(inbox, receivedAt)}/explain`)).json();
  }

  async message(inbox: string, receivedAt: string): Promise<Blob> {
    return (await this.#ask(`${emailPath(inbox, receivedAt)}/raw`)).blob();
  }

  async emptyInbox(inbox: string): Promise<void> {
    await this.#ask(`/api/inbox/${inbox}`, { method: 'DELETE' });
  }

  async joinWaitlist(email: string): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await this.#ask('/api/waitlist', { method: 'POST', headers, body: JSON.stringify({ email }) });
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.key !== null) headers.set('authorization', `Bearer ${this.key}`);
    return this.#answered(path, { ...init, headers });
  }

  async #answered(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.#fetch(path, init);
    if (response.ok) return response;
    const { error } = (await response.json()) as ErrorResponse;
    throw new MayflyResponseError(error, response.status);
  }

  readonly #fetch: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init);
      this.#onReach(true);
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) this.#onReach(false);
      throw error;
    }
  };
}

/** Where the operations on one email are. */
export function emailPath(inbox: string, receivedAt: string): string {
  return `/api/inbox/${inbox}/${receivedAt}`;
}

/** The address of an inbox. Where mail of any domain is accepted, a domain is made up. */
export function addressOf(name: string, { domains }: ServiceSettings): string {
  return `${name}@${domains.find((domain) => domain !== '*') ?? ANY_DOMAIN}`;
}

/** Where an application finds SMTP: a service that listens everywhere is where this page is. */
export function smtpHost({ smtp: { host } }: ServiceSettings): string {
  return host === '0.0.0.0' || host === '::' ? location.hostname : host;
}
