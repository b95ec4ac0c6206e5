import { isPrivateName } from 'mayfly-protocol/private-name';
import { keep, kept, MADE_KEY } from './storage.js';

/** The domain in the page's addresses if the service accepts any domain. It is reserved for examples (RFC 2606). */
export const ANY_DOMAIN = 'inbox.example.com';

/** The server's rule for `--workspace`, as in the client. */
const WORKSPACE = /^([a-z0-9](?:-?[a-z0-9]){0,31})=(?=.{16,512}$)([\w.~+/-]+=*)$/;

/** The credentials of an ad-hoc workspace. The colon distinguishes them from an API key, which contains none. */
const AD_HOC = /^[\w.+-]{1,64}:[!-~]{6,128}$/;

const KEY_RULE =
  "Enter NAME=KEY, as in the --workspace setting, or the USER:PASSWORD of your application's SMTP login.";

const SECRET = /^[\w.~+/-]{16,512}=*$/;

const API_KEY = 'mayfly-api-key';
const SECRET_PREFIX = 'mayfly-secret ';

interface Credentials {
  /** `NAME=KEY`, the `USER:PASSWORD` of an ad-hoc workspace, or empty. */
  readonly written: string;
  /** The bearer token; null without a key. */
  readonly key: string | null;
  /** The credentials of the ad-hoc workspace, with the user in lower case; empty without one. */
  readonly adHoc: string;
  readonly workspace: string | undefined;
}

const NO_CREDENTIALS: Credentials = { written: '', key: null, adHoc: '', workspace: undefined };

/** Parses what the user entered; null if it is invalid. */
function read(written: string): Credentials | null {
  if (written === '') return NO_CREDENTIALS;
  if (AD_HOC.test(written)) {
    const adHoc = written.replace(/^[^:]*/, (user) => user.toLowerCase());
    return { written, key: adHoc, adHoc, workspace: undefined };
  }
  const [, workspace, key] = WORKSPACE.exec(written) ?? [];
  return key === undefined ? null : { written, key, adHoc: '', workspace };
}

/** The credentials of this tab. The stored text is checked, because any page of this origin may have stored it. */
export let credentials = read(kept('sessionStorage', API_KEY) ?? '') ?? NO_CREDENTIALS;

/** Renders the page from scratch with another API key, which only this tab keeps. Throws if the key is invalid. */
export function changeApiKey(written: string): void {
  const next = read(written);
  if (next === null) throw new Error(KEY_RULE);
  leave();
  keep('sessionStorage', API_KEY, written);
  // The generated inbox name was for the previous workspace.
  keep('sessionStorage', MADE_KEY, '');
  credentials = next;
  restart();
}

/** The name of the active workspace: of a configured one, or the user of an ad-hoc one. Empty without a workspace. */
export function workspaceName(): string {
  return credentials.workspace ?? credentials.adHoc.replace(/:.*/, '');
}

/** The secrets of private inboxes, in memory because browsers that block cookies store nothing. */
const secrets = new Map<string, string>();

export function secretOf(inbox: string): string | null {
  const secret = secrets.get(inbox) ?? kept('sessionStorage', SECRET_PREFIX + inbox);
  return secret !== null && isPrivateName(inbox) && SECRET.test(secret) ? secret : null;
}

/**
 * The `USER:PASSWORD` of the ad-hoc workspace that contains an inbox; empty without one. The secret of a private inbox
 * takes precedence, because mail to its address is outside of workspaces unless the application sends credentials.
 */
export function adHocOf(inbox: string): string {
  return secretOf(inbox) === null ? credentials.adHoc : '';
}

/** Throws if the secret is invalid. */
export function keepSecret(inbox: string, secret: string): void {
  if (!SECRET.test(secret)) throw new Error('A secret has 16 to 512 letters, digits and -._~+/.');
  secrets.set(inbox, secret);
  keep('sessionStorage', SECRET_PREFIX + inbox, secret);
}

/** Renders the page from scratch without the secret of a private inbox. */
export function forgetSecret(inbox: string): void {
  leave();
  secrets.delete(inbox);
  keep('sessionStorage', SECRET_PREFIX + inbox, '');
  restart();
}

/**
 * Keeps a secret of the URL's fragment, and returns the rest of the fragment, because a screenshot of the URL may become
 * public. The rest is an email's key, which contains colons. A secret contains none.
 */
export function takeSecret(inbox: string, fragment: string): string {
  const parts = fragment.split('&');
  const secret = isPrivateName(inbox) ? parts.find((part) => SECRET.test(part)) : undefined;
  if (secret === undefined) return fragment;
  if (secret !== secretOf(inbox)) keepSecret(inbox, secret);
  return parts.filter((part) => part !== secret).join('&');
}

/** Lets the page finish what needs the current credentials, such as deletions that can still be undone. */
function leave(): void {
  dispatchEvent(new Event('leave'));
}

/** Renders the page from scratch. */
export function restart(): void {
  dispatchEvent(new Event('restart'));
}
