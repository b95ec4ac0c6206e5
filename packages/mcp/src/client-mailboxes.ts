import type { EmailParts, EmailSummary, Explanation, Inbox, MayflyOptions, ServiceSettings } from 'mayfly-client';
import { Mayfly, MayflyError, MayflyNetworkError, MayflyTimeoutError } from 'mayfly-client';
import { inboxApi, type PageApi, readSettings, serviceSettings } from 'mayfly-client/api';
import { askWhy, attemptsOf, type InVain } from 'mayfly-client/no-mail';
import { MAX_SECRETS } from './bounds.js';
import { checkDomain, firstDomain, STANDARD_DOMAIN } from './domains.js';
import { keepLast } from './given.js';
import {
  type BriefEmail,
  type EmailKey,
  type GivenInbox,
  type Mailboxes,
  type NewInbox,
  type Patience,
  ToolError,
  type Wanted,
  type WantedInbox,
} from './mailboxes.js';
import { reachable } from './reachable.js';

/** Command-line options that locate the service. The environment supplies missing options. */
export type ServiceOptions = Pick<MayflyOptions, 'baseUrl' | 'domain' | 'apiKey' | 'credentials' | 'space'>;

const HOW_TO_START =
  'Start it with "npx mayfly-inbox serve", or set --url or MAYFLY_URL in the configuration of this server.';

/** Inboxes of a service that is reached over HTTP. */
export class ClientMailboxes implements Mailboxes {
  readonly #options: ServiceOptions;
  readonly #mayfly: Mayfly;
  readonly #secrets = new Secrets();
  readonly #isAdHoc: boolean;
  /** The last known domains of the service, so that a bare name needs no request. */
  #domains: readonly string[] | null = null;

  /** Throws `MayflyOptionError` for an invalid option. */
  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#mayfly = new AgentMayfly(options);
    this.#isAdHoc = Boolean(readSettings(options).auth);
  }

  create(wanted: WantedInbox, signal: AbortSignal): Promise<NewInbox> {
    return told(async () => {
      const { domains, smtp, now } = await this.#settings(signal);
      const domain = this.#domainOf(domains);
      const created = new Mayfly({ ...this.#options, domain }).createInbox(wanted);
      const { name, address, secret, pageUrl } = created;
      const inbox = domain === firstDomain(domains) ? name : address;
      this.#secrets.keep(inbox, secret ?? undefined);
      const at = reachable(smtp, new URL(this.#mayfly.baseUrl));
      return { name: inbox, address, secret, pageUrl, after: now, smtp: at };
    });
  }

  nameOf({ inbox: text, secret }: GivenInbox, signal: AbortSignal): Promise<string> {
    return told(async () => {
      const { name, address } = this.#mayfly.inbox(text, { secret });
      this.#secrets.keep(name, secret);
      if (!text.includes('@')) {
        return `${name}@${this.#domainOf(this.#domains ?? (await this.#settings(signal)).domains)}`;
      }
      // An ad-hoc workspace accepts any domain.
      if (!this.#isAdHoc) checkDomain(address, (await this.#settings(signal)).domains);
      return address;
    });
  }

  next(inbox: string, { after, ...filter }: Wanted, { timeoutMs, signal }: Patience): Promise<BriefEmail | null> {
    return told(async () => {
      const time = after === undefined ? undefined : new Date(after);
      const waited = this.#inbox(inbox).waitForEmail({ ...filter, after: time, timeout: timeoutMs, signal });
      const email = await waited.catch(nullIfLate);
      return email && { ...email, receivedAt: email.receivedAt.toISOString() };
    });
  }

  summaries(
    inbox: string,
    page: { readonly after?: string | undefined; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly EmailSummary[]> {
    return told(() => this.#api(inbox).summaries(page, signal));
  }

  whyNothing(inbox: string, inVain: InVain, signal: AbortSignal): Promise<string> {
    return told(() => askWhy(attemptsOf(this.#api(inbox)), inVain, signal));
  }

  contents({ inbox, receivedAt }: EmailKey, signal: AbortSignal): Promise<EmailParts> {
    return told(() => this.#api(inbox).parts(receivedAt, signal));
  }

  explanation({ inbox, receivedAt }: EmailKey, signal: AbortSignal): Promise<Explanation> {
    return told(() => this.#api(inbox).explanation(receivedAt, signal));
  }

  report(error: unknown): void {
    process.stderr.write(`mayfly: ${error instanceof Error ? error.stack : error}\n`);
  }

  async #settings(signal: AbortSignal): Promise<ServiceSettings> {
    const settings = await serviceSettings(this.#options, signal);
    this.#domains = settings.domains;
    return settings;
  }

  #inbox(name: string): Inbox {
    return this.#mayfly.inbox(name, { secret: this.#secrets.of(name) });
  }

  #api(inbox: string): PageApi {
    return inboxApi(inbox, this.#options, 'sdk', this.#secrets.of(inbox) ?? null);
  }

  /** The domain for new inboxes. Throws if the options name a domain whose mail the service does not accept. */
  #domainOf(domains: readonly string[]): string {
    const { domain } = this.#mayfly;
    if (this.#options.domain !== undefined) {
      checkDomain(`@${domain}`, domains);
      return domain;
    }
    const isChosen = domains.includes('*') && domain !== STANDARD_DOMAIN;
    return isChosen || domains.includes(domain) ? domain : firstDomain(domains);
  }
}

/** Skips the client's explanation of a timeout: the tool adds its own, and hosts would cut off a longer call. */
class AgentMayfly extends Mayfly {
  constructor(options: MayflyOptions) {
    super(options);
    this.calls.spareMs = () => 0;
  }
}

/** Secrets of private inboxes by name, so that an agent that omits a secret can still read the inbox. */
class Secrets {
  readonly #byName = new Map<string, string>();

  of(inbox: string): string | undefined {
    return this.#byName.get(localPart(inbox));
  }

  keep(inbox: string, secret: string | undefined): void {
    if (secret !== undefined) keepLast(this.#byName, localPart(inbox), secret, MAX_SECRETS);
  }
}

function localPart(inbox: string): string {
  return inbox.split('@', 1)[0] as string;
}

function nullIfLate(error: unknown): null {
  if (error instanceof MayflyTimeoutError) return null;
  throw error;
}

/** Converts the client's errors to tool errors with the same messages, which also suit agents. */
async function told<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof MayflyNetworkError) throw new ToolError(`${error.message} ${HOW_TO_START}`, { cause: error });
    if (error instanceof MayflyError) throw new ToolError(error.message, { cause: error });
    throw error;
  }
}
