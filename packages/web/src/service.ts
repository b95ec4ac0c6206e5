import type { InboxAttempts, RunResponse, ServiceSettings, SessionAttempts, SmtpOffer } from 'mayfly-client';
import * as client from 'mayfly-client/api';
import 'mayfly-client/private';
import { ANY_DOMAIN, credentials, keepSecret, secretOf } from './credentials.js';
import { chunksOf, jsonOf, type Limits, SILENCE_MS, transportWith } from './requests.js';

export function newName(): string {
  return client.newName(credentials.workspace);
}

/** The URL of a private inbox, with its secret in the fragment, which browsers do not send. */
export function privateUrl(inbox: string): string {
  return `${location.origin}${pagePath(inbox)}#${secretOf(inbox)}`;
}

/** Returns a new name, and keeps its secret, so that the secret is in no URL of the history. */
export function newPrivateName(): string {
  const { name, secret } = client.newPrivateName();
  keepSecret(name, secret);
  return name;
}

/** The bearer token for an inbox; null without a key. */
export function keyOf(inbox: string): string | null {
  return secretOf(inbox) ?? credentials.key;
}

export type Api = client.PageApi<client.Requests>;

/** The operations on an inbox, given its name or address. */
export function inboxApi(inbox: string): Api {
  const api = new client.PageApi(transportWith(keyOf(inbox)), inboxNamed(inbox), null);
  return Object.assign(api, { source: 'browser' });
}

/** Requests the settings without a key: the page needs them for the inbox's address, even if the key is wrong. */
export function readSettings(): Promise<ServiceSettings> {
  return jsonOf(chunksOf('/api/settings', {}), ({ domains }) => domains.every((domain) => typeof domain === 'string'));
}

/** Sent without a key, as in `readSettings`. */
export async function readSmtpOffer(signal: AbortSignal): Promise<SmtpOffer | null> {
  const { smtp } = await jsonOf<Partial<SessionAttempts>>(chunksOf('/api/attempts?source=browser', { signal }));
  return smtp ?? null;
}

export function isThere(): Promise<boolean> {
  return fetch('/healthz', { signal: AbortSignal.timeout(SILENCE_MS) }).then(
    () => true,
    () => false,
  );
}

export function readRun(secret: string, from: number, signal: AbortSignal): Promise<RunResponse> {
  // A page whose `next` does not advance would make the caller loop forever.
  const goesOn = (next: number | null, count: number) => next === null || (count > 0 && next === from + count);
  return jsonOf(ask(`/api/run/${secret}?from=${from}`, signal), ({ tests, next }) => goesOn(next, tests.length));
}

export type KnownLog = Omit<InboxAttempts, 'newSpace'>;

/** The delivery log of an inbox or, for an empty name, of all inboxes that the caller may list. */
export async function readLog(inbox: string, isFailedOnly: boolean, signal: AbortSignal): Promise<KnownLog> {
  if (inbox !== '') return inboxApi(inbox).attempts(signal, isFailedOnly ? { outcome: 'failed' } : {});
  const path = `/api/attempts?inboxes=all${isFailedOnly ? '&outcome=failed' : ''}`;
  const { attempts, ...rest } = await jsonOf<SessionAttempts>(ask(path, signal));
  return { ...rest, attempts: attempts ?? [], waits: [], elsewhere: [], acrossSpaces: 0 };
}

export async function joinWaitlist(email: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await jsonOf(chunksOf('/api/waitlist', { method: 'POST', headers, body: JSON.stringify({ email }) }));
}

/** Fetches a path of the service with the key for an inbox, or for all inboxes. */
export function ask(path: string, signal: AbortSignal, inbox = '', limits?: Limits) {
  return chunksOf(path, { key: keyOf(inbox), signal }, limits);
}

/** Deletes an email with a request that outlives the page. */
export function deleteOnLeave(inbox: string, receivedAt: string): void {
  const request = { method: 'DELETE', keepalive: true, key: keyOf(inbox) };
  jsonOf(chunksOf(emailPath(inbox, receivedAt), request)).catch(() => {});
}

/** The first bytes of a message as received. Reads no more than `maxBytes`. */
export async function readSource(inbox: string, receivedAt: string, maxBytes: number, signal: AbortSignal) {
  const decoder = new TextDecoder();
  let text = '';
  let room = maxBytes;
  for await (const chunk of ask(`${emailPath(inbox, receivedAt)}/raw`, signal, inbox)) {
    text += decoder.decode(chunk.subarray(0, room), { stream: true });
    room -= chunk.length;
    if (room <= 0) return text;
  }
  return text + decoder.decode();
}

export function inboxPath(inbox: string): string {
  return `/api/inbox/${encodeURI(inbox)}`;
}

export function emailPath(inbox: string, receivedAt: string): string {
  return `${inboxPath(inbox)}/${receivedAt}`;
}

/** The inbox of a name or an address. Throws `MayflyOptionError` for any other text. */
export const inboxNamed = client.checkedInbox;

/** The shortest name of an inbox: without a domain if it is in the service's first domain. */
export function inboxAt(inbox: string, settings: ServiceSettings): string {
  const name = inbox.split('@', 1)[0] ?? '';
  return addressOf(name, settings) === inbox ? name : inbox;
}

export function pagePath(inbox: string): string {
  // Replaces lone surrogates, which cannot be encoded: a run may report any text as an inbox.
  return `/inbox/${encodeURIComponent(inbox.replace(/\p{Cs}/gu, '\ufffd')).replace('%40', '@')}`;
}

/** The address of an inbox. If the service accepts any domain, the address has an example domain. */
export function addressOf(inbox: string, { domains }: ServiceSettings): string {
  return inbox.includes('@') ? inbox : `${inbox}@${domains.find((domain) => domain !== '*') ?? ANY_DOMAIN}`;
}

/** The recipients whose mail the list of all mail shows. */
export function recipientsOf({ domains, allMail }: ServiceSettings): string {
  const { workspace } = credentials;
  const isAny = domains.includes('*');
  if (workspace === undefined || allMail) return isAny ? 'any address' : `any name at ${domains.join(' or ')}`;
  return `a name that begins with ${workspace}-${isAny ? '' : ` at ${domains.join(' or ')}`}`;
}

/** A recipient for a first email, in the active workspace. */
export function demoName(): string {
  return credentials.workspace === undefined ? 'demo' : `${credentials.workspace}-demo`;
}

/** The host of SMTP; this page's host if the service listens on all interfaces. */
export function smtpHost({ smtp: { host } }: ServiceSettings): string {
  return host === '0.0.0.0' || host === '::' ? location.hostname : host;
}

export function smtpServer(settings: ServiceSettings): string {
  const host = smtpHost(settings);
  return `${host.includes(':') ? `[${host}]` : host}:${settings.smtp.port}`;
}
