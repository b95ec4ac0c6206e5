import { isLocal } from './link-safety.js';
import { isMadeAtRandom } from './masked-prose.js';

/** What ends a sentence does not belong to the address before it. */
const SENTENCE_END = /[.,;:!?]$/;

/** An address of the web, of a part of the email or with its own content, without what differs each time. */
export function maskedAddress(address: string): string {
  if (/^cid:/i.test(address)) return 'cid:[id]';
  if (/^data:/i.test(address)) return maskedData(address);
  const end = SENTENCE_END.exec(address)?.[0] ?? '';
  const whole = end === '' ? address : address.slice(0, -end.length);
  const [start = ''] = /^https?:\/\/[^/?#]*/i.exec(whole) ?? [];
  const [path = '', query = ''] = divided(whole.slice(start.length));
  return maskedOrigin(start) + path.split('/').map(maskedSegment).join('/') + maskedQuery(query) + end;
}

/** The port of an application under test is often any that is free. */
function maskedOrigin(origin: string): string {
  const port = /:\d{1,5}$/.exec(origin)?.[0];
  if (port === undefined || !URL.canParse(origin) || !isLocal(new URL(origin).hostname)) return origin;
  return `${origin.slice(0, -port.length)}:[port]`;
}

/** The path, and the rest from the query or the fragment on. */
function divided(rest: string): [string, string] {
  const at = rest.search(/[?#]/);
  return at === -1 ? [rest, ''] : [rest.slice(0, at), rest.slice(at)];
}

function maskedSegment(segment: string): string {
  if (/^\d+$/.test(segment)) return '[number]';
  return isMadeAtRandom(segment) ? '[token]' : segment;
}

/** Values of a query are data, so that only their names tell of a template. */
function maskedQuery(query: string): string {
  const masked = query.replace(/=[^&#]+/g, '=[token]');
  return masked === query ? query.replace(/[\w.~%+-]+/g, maskedSegment) : masked;
}

function maskedData(address: string): string {
  const comma = address.indexOf(',');
  return comma === -1 ? address : `${address.slice(0, comma)},[data]`;
}
