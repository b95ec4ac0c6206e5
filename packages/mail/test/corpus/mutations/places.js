/**
 * Finds numbers in a part of a message, and adds items near them. A part is `{ kind: 'text' | 'html', content }`; a
 * line of HTML is the content between two block tags. Functions that write return the new content, or null if the
 * markup does not allow it.
 */

const BLOCK =
  /<(\/?)(p|div|h[1-6]|td|th|tr|table|tbody|thead|ul|ol|li|br|hr|body|html|center|section|header|footer|main|blockquote|pre|dl|dt|dd)\b[^>]*>/gi;
const UNSEEN = /<(style|script|head|title)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<[^>]*>/gi;

/** Lookarounds that exclude a number within something longer: a URL, a decimal, a price or a phone number. */
const NO_PART = {
  before: String.raw`(?<![\p{L}\p{N}_/=#&.,:+$€£@-]|[\d)][ -])`,
  after: String.raw`(?![\p{L}\p{N}_/@%]|[.,:-]\d|[ -]\d)`,
};

/** The ranges where the number is visible, with or without a space or hyphen between its digits. */
export function occurrences(part, value) {
  const digits = [...value].join('[ \\u00a0\\u2009-]?');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_/=#&]|[.,-]\\d*)${digits}(?![\\p{L}\\p{N}_/]|[.,]\\d)`, 'gu');
  return rangesOf(part, pattern);
}

/** The numbers of 4 to 8 digits, written without spaces, that are not part of something longer (see `NO_PART`). */
export function plainNumbers(part) {
  const pattern = new RegExp(`${NO_PART.before}\\d{4,8}${NO_PART.after}`, 'gu');
  return rangesOf(part, pattern).map(({ start, end }) => part.content.slice(start, end));
}

function rangesOf({ kind, content }, pattern) {
  const seen = kind === 'html' ? content.replace(UNSEEN, (tag) => '\u0001'.repeat(tag.length)) : content;
  return [...seen.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}

export function lineAround({ kind, content }, { start, end }) {
  if (kind === 'text') {
    const next = content.indexOf('\n', end);
    return { start: content.lastIndexOf('\n', start - 1) + 1, end: next < 0 ? content.length : next };
  }
  const tags = [...content.matchAll(BLOCK)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  return {
    start: tags.findLast((tag) => tag.end <= start)?.end ?? 0,
    end: tags.find((tag) => tag.start >= end)?.start ?? content.length,
  };
}

/** The text of a range as a reader sees it. */
export function seenIn({ kind, content }, { start, end }) {
  const written = content.slice(start, end);
  return kind === 'html' ? written.replace(UNSEEN, '').replace(/&\w+;/g, ' ') : written;
}

/** The line itself if it has words; otherwise the nearest line above with words, because those name the number. */
export function namingLine(part, line) {
  for (let at = line; ; ) {
    if (/\p{L}{2}/u.test(seenIn(part, at))) return at;
    const above = lineBefore(part, at);
    if (above === null) return line;
    at = above;
  }
}

function lineBefore(part, { start }) {
  if (part.kind === 'text') return start === 0 ? null : lineAround(part, { start: start - 1, end: start - 1 });
  const tag = [...part.content.matchAll(BLOCK)].findLast(({ index }) => index < start);
  return tag === undefined ? null : lineAround(part, { start: tag.index, end: tag.index });
}

/** Writes `name: value` above a line. */
export function writeAbove(part, line, item) {
  const { kind, content } = part;
  if (kind === 'text') return insert(content, line.start, `${said(item)}\n`);
  const tag = [...content.matchAll(BLOCK)].findLast(({ index }) => index < line.start);
  if (tag === undefined) return insert(content, 0, `<p>${said(item)}</p>`);
  const [written, closing] = tag;
  const name = tag[2].toLowerCase();
  if (isCell(name) && !closing) {
    const row = content.slice(0, tag.index).toLowerCase().lastIndexOf('<tr');
    return row < 0 ? null : insert(content, row, rowOf(content.slice(row, line.end), item));
  }
  if (name === 'br' || (closing && isParagraph(name))) {
    return insert(content, tag.index + written.length, `${said(item)}<br>`);
  }
  if (name === 'body') return insert(content, tag.index + written.length, `<p>${said(item)}</p>`);
  return isParagraph(name) ? insert(content, tag.index, paragraph(name, item)) : null;
}

/** Writes `name: value` below a line. */
export function writeBelow(part, line, item) {
  const { kind, content } = part;
  if (kind === 'text') return insert(content, line.end, `\n${said(item)}`);
  const tag = [...content.matchAll(BLOCK)].find(({ index }) => index >= line.end);
  if (tag === undefined) return insert(content, content.length, `<p>${said(item)}</p>`);
  const [written, closing] = tag;
  const name = tag[2].toLowerCase();
  if (isCell(name) && closing) {
    const end = content.toLowerCase().indexOf('</tr>', tag.index);
    const row = content.slice(0, tag.index).toLowerCase().lastIndexOf('<tr');
    return end < 0 || row < 0 ? null : insert(content, end + '</tr>'.length, rowOf(content.slice(row, end), item));
  }
  if (name === 'br') return insert(content, tag.index + written.length, `${said(item)}<br>`);
  if (closing && isParagraph(name)) return insert(content, tag.index + written.length, paragraph(name, item));
  return /^(?:p|div|h[1-6]|table|ul|ol|hr|body|center)$/.test(name)
    ? insert(content, tag.index, `<p>${said(item)}</p>`)
    : null;
}

/** Writes `name: value` at the end of the message. */
export function writeAtEnd({ kind, content }, item) {
  if (kind === 'text') return `${content.trimEnd()}\n\n${said(item)}\n`;
  const end = content.search(/<\/body>/i);
  return insert(content, end < 0 ? content.length : end, `<p>${said(item)}</p>`);
}

/** Replaces the content of a part's body. */
export function withBody({ kind, content }, replace) {
  const body = kind === 'html' ? /^([\s\S]*?<body[^>]*>)([\s\S]*)(<\/body>[\s\S]*)$/i.exec(content) : null;
  return body === null ? replace(content) : `${body[1]}${replace(body[2])}${body[3]}`;
}

/** Returns `name: value`, or only the value of an item without a name (a sentence or a link). */
function said({ name, value }) {
  return name === undefined ? value : `${name}: ${value}`;
}

function insert(content, at, written) {
  return content.slice(0, at) + written + content.slice(at);
}

function isCell(name) {
  return /^t[dh]$/.test(name);
}

function isParagraph(name) {
  return /^(?:p|div|h[1-6]|li)$/.test(name);
}

function paragraph(name, item) {
  return name === 'li' ? `<li>${said(item)}</li>` : `<p>${said(item)}</p>`;
}

/** A row that fits the table: one wide cell, or a cell for the name and a cell for the value. */
function rowOf(row, item) {
  const cells = row.match(/<t[dh]\b/gi)?.length ?? 1;
  if (cells < 2 || item.name === undefined) return `<tr><td colspan="${cells}">${said(item)}</td></tr>`;
  return `<tr><td>${item.name}</td><td>${item.value}</td></tr>`;
}
