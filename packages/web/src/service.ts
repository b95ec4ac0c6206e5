import {
  type InboxAttempts,
  MayflyGoneError,
  type RunResponse,
  type ServiceSettings,
  type SessionAttempts,
  type SmtpOffer,
} from 'mayfly-client';
import * as client from 'mayfly-client/api';
import 'mayfly-client/private';
import { errorOf, noAnswer } from './client-parts.js';
import { ANY_DOMAIN, adHocOf, credentials, keepSecret, secretOf } from './credentials.js';

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

function headersOf(inbox: string): HeadersInit {
  const key = keyOf(inbox);
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

/** The operations on an inbox, given its name or address. */
export function inboxApi(inbox: string): client.PageApi {
  const options = { ...credentials.options, credentials: adHocOf(inbox) };
  return client.inboxApi(inbox, options, 'browser', secretOf(inbox));
}

/** Requests the settings without a key: the page needs them for the inbox's address, even if the key is wrong. */
export function readSettings(): Promise<ServiceSettings> {
  return client.serviceSettings({ baseUrl: location.origin });
}

/** Sent without a key, as in `readSettings`. */
export async function readSmtpOffer(signal: AbortSignal): Promise<SmtpOffer | null> {
  const response = await answered(fetch('/api/attempts?source=browser', { signal }));
  const { smtp }: Partial<SessionAttempts> = await response.json();
  return smtp ?? null;
}

export function isThere(): Promise<boolean> {
  return fetch('/healthz').then(
    () => true,
    () => false,
  );
}

export function readRun(secret: string, from: number, signal: AbortSignal): Promise<RunResponse> {
  return client.runPage(secret, from, credentials.options, signal);
}

export type KnownLog = Omit<InboxAttempts, 'newSpace'>;

/** The delivery log of an inbox or, for an empty name, of all inboxes that the caller may list. */
export async function readLog(inbox: string, isFailedOnly: boolean, signal: AbortSignal): Promise<KnownLog> {
  if (inbox !== '') return inboxApi(inbox).attempts(signal, isFailedOnly ? { outcome: 'failed' } : {});
  const response = await ask(`/api/attempts?inboxes=all${isFailedOnly ? '&outcome=failed' : ''}`, signal);
  const { attempts, ...rest }: SessionAttempts = await response.json();
  return { ...rest, attempts: attempts ?? [], waits: [], elsewhere: [], acrossSpaces: 0 };
}

export async function joinWaitlist(email: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await answered(fetch('/api/waitlist', { method: 'POST', headers, body: JSON.stringify({ email }) }));
}

/** Fetches a path of the service with the key for an inbox, or for all inboxes. */
export function ask(path: string, signal: AbortSignal, inbox = ''): Promise<Response> {
  return answered(fetch(path, { headers: headersOf(inbox), signal }));
}

/** Deletes an email with a request that outlives the page. */
export function deleteOnLeave(inbox: string, receivedAt: string): void {
  const request = { method: 'DELETE', headers: headersOf(inbox), keepalive: true };
  fetch(emailPath(inbox, receivedAt), request).catch(() => {});
}

/** The first bytes of a message as received. Reads no more than `maxBytes`. */
export async function readSource(inbox: string, receivedAt: string, maxBytes: number, signal: AbortSignal) {
  const reader = (await ask(`${emailPath(inbox, receivedAt)}/raw`, signal, inbox)).body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let room = maxBytes; room > 0; ) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, room), { stream: true });
    room -= value.length;
  }
  await reader?.cancel();
  return text;
}

/** Rejects with the error classes of the client library. */
async function answered(asked: Promise<Response>): Promise<Response> {
  const response = await asked.catch(async (cause: unknown) => {
    throw await noAnswer(cause);
  });
  if (response.ok) return response;
  if (response.status === 404) throw new MayflyGoneError('The answer was 404.', { status: 404 });
  throw await errorOf(response);
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
