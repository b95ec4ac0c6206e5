import { mailDomain } from 'mayfly-protocol/inbox-name';
import { STANDARD_CONNECT_TIMEOUT_MS, STANDARD_TIMEOUT_MS } from './bounds.js';
import { MayflyOptionError } from './errors.js';
import { aFunction, aText, aTime, checkOptions } from './options.js';
import { platform } from './platform.js';

/**
 * Where Mayfly is and how to talk to it. Missing options come from the environment, or else from the defaults of
 * `mayfly serve`.
 */
export interface MayflyOptions {
  /** Base URL of the service. Defaults to `MAYFLY_URL`, or else `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined;
  /** Domain of the inboxes. Defaults to the first of `MAYFLY_DOMAIN`, or else `inbox.example.com`. */
  readonly domain?: string | undefined;
  /**
   * Workspace key in the form `NAME=KEY`, as for `mayfly serve --workspace`. Defaults to `MAYFLY_API_KEY`, or else
   * none.
   */
  readonly apiKey?: string | undefined;
  /**
   * The space that the inboxes are in, as `USER:PASSWORD`: what the application signs in to SMTP with. It needs
   * `mayfly serve --spaces`. Defaults to `MAYFLY_SPACE`, or else none.
   */
  readonly space?: string | undefined;
  /** A `fetch` to use instead of the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Default timeout of a call, in milliseconds; 20 s by default. */
  readonly timeout?: number | undefined;
  /**
   * How long a call waits for a connection to a service that has never answered, in milliseconds; 3 s by default. Once
   * a connection is open, or the service has answered before, a call waits until its own timeout.
   */
  readonly connectTimeout?: number | undefined;
}

/** All of it, checked. */
export interface Settings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly domain: string;
  /** Whether that domain was chosen: inboxes without one are then in it, and else in the first of the service. */
  readonly isDomainChosen: boolean;
  readonly workspace: Workspace | null;
  readonly space: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
}

export interface Workspace {
  /** Its inbox names begin with this and a hyphen (D15). */
  readonly name: string;
  readonly key: string;
}

const STANDARD_URL = 'http://127.0.0.1:8080';
export const STANDARD_DOMAIN = 'inbox.example.com';

/** Without a query and credentials; it may have a path. */
const BASE_URL = /^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/i;

/** The server's rule for `--workspace`: a name, and a key of 16 to 512 characters. */
const API_KEY = /^(?<name>[a-z0-9](?:-?[a-z0-9]){0,31})=(?=.{16,512}$)(?<key>[\w.~+/-]+=*)$/;

const RULES = {
  baseUrl: aText,
  domain: aText,
  apiKey: aText,
  space: aText,
  fetch: aFunction,
  timeout: aTime,
  connectTimeout: aTime,
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `MayflyOptionError` for an invalid value, wherever it comes from. */
export function readSettings(options: MayflyOptions): Settings {
  checkOptions('Mayfly', options, RULES);
  // Browsers have no process.
  const env = (globalThis as { process?: { env?: Environment } }).process?.env ?? {};
  const chosen = options.domain ?? domainOfServer(env.MAYFLY_DOMAIN);
  return {
    baseUrl: baseUrlOf(options.baseUrl ?? (env.MAYFLY_URL || STANDARD_URL)),
    domain: checkedDomain(chosen ?? STANDARD_DOMAIN),
    isDomainChosen: chosen !== undefined,
    workspace: workspaceOf(options.apiKey ?? env.MAYFLY_API_KEY),
    space: spaceOf(options.space ?? env.MAYFLY_SPACE),
    fetch: options.fetch ?? platform.fetch?.() ?? globalThis.fetch,
    // In a test it becomes less: see fixtures.ts.
    get timeoutMs() {
      return options.timeout ?? STANDARD_TIMEOUT_MS;
    },
    connectTimeoutMs: options.connectTimeout ?? STANDARD_CONNECT_TIMEOUT_MS,
  };
}

function baseUrlOf(text: string): string {
  if (BASE_URL.test(text) && URL.canParse(text)) return new URL(text).href.replace(/\/$/, '');
  throw new MayflyOptionError(
    `"${text}" is not a base address of Mayfly. Give baseUrl or MAYFLY_URL as in ${STANDARD_URL}, without query or credentials.`,
  );
}

/** The server reads the same variable and takes several domains, or `*` for any. */
export function domainOfServer(variable = ''): string | undefined {
  const domains = variable.split(',').map((domain) => domain.trim());
  return domains.find((domain) => domain !== '' && domain !== '*');
}

/** A domain in the form in which addresses show it. Throws `MayflyOptionError` for anything else. */
export function checkedDomain(text: string): string {
  const domain = mailDomain(text);
  if (domain !== null) return domain;
  throw new MayflyOptionError(`"${text}" is not a domain. Give domain or MAYFLY_DOMAIN as in ${STANDARD_DOMAIN}.`);
}

function workspaceOf(text: string | undefined): Workspace | null {
  if (!text) return null;
  const parts = API_KEY.exec(text);
  if (parts) return parts.groups as unknown as Workspace;
  // The text is not repeated: it may be a key, and logs are read by others.
  throw new MayflyOptionError(
    'apiKey or MAYFLY_API_KEY is not valid. Write it as NAME=KEY; a key has 16 to 512 characters.',
  );
}

/** Visible ASCII, as a header takes it; beyond that, the service knows what a user and a password may be. */
function spaceOf(text: string | undefined): string | undefined {
  if (!text || /^[!-9;-~]+:[!-~]+$/.test(text)) return text;
  // The text is not repeated: it may be a password.
  throw new MayflyOptionError('space or MAYFLY_SPACE is not valid. Write it as USER:PASSWORD.');
}
