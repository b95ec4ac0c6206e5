import type { HeaderField } from 'mayfly-mail/internal/mime/header-list';
import { firstCharacters } from 'mayfly-mail/internal/text';
import type { CheckedUnsubscribe } from 'mayfly-protocol';

const MAX_URLS = 10;
const MAX_URL_CHARS = 2_000;

/** An address in angle brackets (RFC 2369 section 2). */
const BRACKETED = /<\s*((?:https?|mailto):[^<>]*)>/gi;

/** The only valid value of List-Unsubscribe-Post (RFC 8058 section 3.1). */
const ONE_CLICK = /^list-unsubscribe=one-click$/i;
const FIELD = 'list-unsubscribe';
const POST_FIELD = 'list-unsubscribe-post';

/** The contents of List-Unsubscribe (RFC 2369) and List-Unsubscribe-Post (RFC 8058); null if the first is missing. */
export function unsubscribeOf(fields: readonly HeaderField[]): CheckedUnsubscribe | null {
  const written = (name: string) => fields.find((field) => field.name.toLowerCase() === name)?.value;
  const addresses = written(FIELD);
  if (addresses === undefined) return null;
  const urls = [...addresses.matchAll(BRACKETED)]
    .slice(0, MAX_URLS)
    .map(([, url = '']) => firstCharacters(url.replace(/\s/g, ''), MAX_URL_CHARS));
  const isPost = ONE_CLICK.test((written(POST_FIELD) ?? '').trim());
  return {
    urls,
    oneClick: isPost && urls.some((url) => /^https:/i.test(url)),
    signed: isSigned(fields),
  };
}

/** Whether a DKIM signature covers both fields (RFC 8058 section 4); null without a signature. */
function isSigned(fields: readonly HeaderField[]): boolean | null {
  const signatures = fields.filter(({ name }) => name.toLowerCase() === 'dkim-signature');
  if (signatures.length === 0) return null;
  return signatures.some(({ value }) => {
    const tag = value.split(';').find((one) => one.trimStart().startsWith('h='));
    const covered = (tag ?? '').slice((tag ?? '').indexOf('=') + 1).split(':');
    const names = covered.map((name) => name.trim().toLowerCase());
    return names.includes(FIELD) && names.includes(POST_FIELD);
  });
}
