// Mutations of a message `{ subject, text, html, otp, magicLink }`. Each returns a new message; null if not applicable.
import { lineAround, occurrences, plainNumbers, seenIn, withBody, writeAtEnd } from './places.js';

function partsOf({ text, html }) {
  return [
    { kind: 'text', content: text },
    { kind: 'html', content: html },
  ].filter(({ content }) => content !== null);
}

/** Separators of two numbers on a line. */
export const BETWEEN = [' · ', ' – ', ' | ', ', '];

export function joined({ name, value }, chance) {
  return chance.oneOf([`${name}: ${value}`, `${name} ${value}`]);
}

/** Replaces each part of a message; null if a part cannot be replaced. */
function withParts(mail, replace) {
  const changed = { ...mail };
  for (const part of partsOf(mail)) {
    const content = replace(part);
    if (content === null) return null;
    changed[part.kind] = content;
  }
  return partsOf(mail).length === 0 ? null : changed;
}

/** A named number that does not occur in the message. */
export function numberOf({ subject, text, html }, chance, { names }) {
  const written = `${subject}\n${text ?? ''}\n${html ?? ''}`;
  for (;;) {
    const value = chance.digits(4 + chance.below(5));
    if (!written.includes(value)) return { name: chance.oneOf(names), value };
  }
}

/** Writes an item next to the code in each part; if a part has no code, `writeElsewhere` may write it at the end. */
export function addedToEach(mail, item, write, writeElsewhere = () => null) {
  return withParts(mail, (part) => {
    const [code] = mail.otp === null ? [] : occurrences(part, mail.otp);
    return code === undefined ? writeElsewhere(part, item) : write(part, lineAround(part, code), item);
  });
}

/** Replaces the code's line in each part. Returns null if that line has no words: another line then names the code. */
export function joinedToEach(mail, join) {
  if (mail.otp === null) return null;
  return withParts(mail, (part) => {
    const [code] = occurrences(part, mail.otp);
    if (code === undefined) return null;
    const line = lineAround(part, code);
    if (!/\p{L}{2}/u.test(seenIn(part, line))) return null;
    return replaceRange(part.content, line, join(part.content.slice(line.start, line.end)));
  });
}

/**
 * Replaces the code's line. Applies if the code occurs once in each part and not in the subject, so that no other line
 * describes it. Does not judge the link: it may have been on the replaced line, and the right link depends on the code.
 */
export function replacedIn(mail, write, otp) {
  if (mail.otp === null || subjectHolds(mail)) return null;
  const changed = withParts(mail, (part) => {
    const [code] = occurrences(part, mail.otp);
    if (code === undefined || !holdsOnce(part, mail.otp)) return null;
    const line = lineAround(part, code);
    return replaceRange(part.content, line, write(part.content.slice(code.start, code.end)));
  });
  return changed === null ? null : { ...changed, otp, magicLink: undefined };
}

/** Whether the displayed text has the number exactly once. Each of its digits may have its own element. */
function holdsOnce(part, value) {
  const seen = seenIn(part, { start: 0, end: part.content.length });
  return seen.replace(/[\s-]/g, '').split(value).length === 2;
}

function subjectHolds({ subject, otp }) {
  return occurrences({ kind: 'text', content: subject }, otp).length > 0;
}

function replaceRange(content, { start, end }, written) {
  return content.slice(0, start) + written + content.slice(end);
}

/** Matches years, which never swap with the code, because extraction accepts a year only with strong evidence. */
const YEAR = /^(?:19|20)\d\d$/;

/** Swaps the code with another number. Each part must contain both, written without spaces. */
export function swapped(mail, chance) {
  const parts = partsOf(mail);
  if (mail.otp === null || parts.length === 0) return null;
  const [first = [], ...others] = parts.map(plainNumbers);
  const isInEach = (value) => others.every((values) => values.includes(value));
  const numbers = [...new Set(first)].filter((value) => value !== mail.otp && !YEAR.test(value) && isInEach(value));
  if (!parts.every((part) => plainNumbers(part).includes(mail.otp)) || numbers.length === 0) return null;
  const other = chance.oneOf(numbers);
  const swap = (content) =>
    content.replace(new RegExp(`(?<!\\d)(?:${mail.otp}|${other})(?!\\d)`, 'g'), (value) =>
      value === other ? mail.otp : other,
    );
  const changed = withParts(mail, ({ content }) => swap(content));
  return { ...changed, subject: swap(mail.subject), otp: other, magicLink: undefined };
}

/** Turns a text into HTML; null for a text with columns or URLs, which HTML would change. */
export function asHtml({ text, html, ...mail }, write) {
  if (text === null || html !== null || / {2,}\S|[|\t<]|https?:/.test(text)) return null;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return { ...mail, text: null, html: write(lines.map(escaped)) };
}

function escaped(line) {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

export function rowOf(line) {
  const [, name, value] = /^([^:：]{2,60}(?:：|:(?=\s)))\s*(\S.*)$/.exec(line) ?? [];
  return name === undefined ? `<tr><td colspan="2">${line}</td></tr>` : `<tr><td>${name}</td><td>${value}</td></tr>`;
}

export function asTable(mail, chance, words) {
  const { name, value } = numberOf(mail, chance, words);
  const isFirst = chance.below(2) === 0;
  const row = (code, other, between) => (isFirst ? [code, other] : [other, code]).join(between);
  const asText = (code) => `${row(words.code, name, ' | ')}\n${row(code, value, ' | ')}`;
  const asCells = (code) =>
    `<table><tr><th>${row(words.code, name, '</th><th>')}</th></tr><tr><td>${row(code, value, '</td><td>')}</td></tr></table>`;
  if (mail.text !== null && mail.html !== null) return null;
  return replacedIn(mail, mail.html === null ? asText : asCells, mail.otp);
}

/** Quotes a message in a reply. Quoted text requires no action, so only the code is judged. */
export function quoted(mail) {
  if (mail.otp === null || subjectHolds(mail)) return null;
  const head = 'On Mon, 2 Nov 2026 at 10:14, App <no-reply@app.test> wrote:';
  const changed = withParts(mail, (part) =>
    part.kind === 'text'
      ? `Thanks, that worked.\n\n${head}\n${part.content.replace(/^/gm, '> ')}`
      : withBody(
          part,
          (body) => `<p>Thanks, that worked.</p><div>${escaped(head)}</div><blockquote>${body}</blockquote>`,
        ),
  );
  return changed === null ? null : { ...changed, subject: `Re: ${mail.subject}`, otp: null, magicLink: undefined };
}

export function forwarded(mail) {
  const head = [
    '---------- Forwarded message ---------',
    'From: App <no-reply@app.test>',
    'Date: Mon, 2 Nov 2026 at 10:14',
    `Subject: ${mail.subject}`,
    'To: <someone@inbox.test>',
  ];
  const changed = withParts(mail, (part) =>
    part.kind === 'text'
      ? `${head.join('\n')}\n\n${part.content}`
      : withBody(part, (body) => `<div>${head.map(escaped).join('<br>')}<br><br></div>${body}`),
  );
  return changed === null ? null : { ...changed, subject: `Fwd: ${mail.subject}` };
}

/** Matches a URL that names its action. Without such a name, a link may be right only as long as it is the only one. */
const ACTION_ADDRESS = /[/.](?:verify|confirm|reset|activat|auth)[\w-]*[/?].*[\w-]{12}$/i;

export function isAction({ magicLink }) {
  return magicLink === null || ACTION_ADDRESS.test(magicLink);
}

/** Adds a link at the end. Does not apply to plain text without a link, where the added link would be the right one. */
export function linkAdded(mail, text, path) {
  if (!isAction(mail) || (mail.text !== null && mail.magicLink === null)) return null;
  const address = `https://app.test/${path}`;
  return withParts(mail, (part) =>
    writeAtEnd(
      part,
      part.kind === 'text' ? { name: text, value: address } : { value: `<a href="${address}">${text}</a>` },
    ),
  );
}
