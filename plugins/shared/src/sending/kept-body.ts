import { isObject } from './fields.js';

/** Maximum length of the stored part of a body, in characters. */
const MAX_CHARS = 16 * 1024;
const MAX_TEXT_CHARS = 1_000;
const MAX_DEPTH = 8;

/** Fields with file contents, and lists of such fields, of all providers. */
const FILE_FIELDS = ['content', 'Content', 'RawContent', 'Data', 'data', 'raw'];
const FILE_LISTS = ['attachments', 'Attachments', 'Raw', 'attachment', 'inline', 'RawMessage'];

/** Fields that turn tracking on or off. They are kept first, so that no long field takes their place. */
const TRACKING = /^(?:tracking_settings|Track(?:Links|Opens)|ConfigurationSetName|o:tracking(?:-clicks|-opens)?)$/;

/** The part of a request's body that is stored with its message: bounded, without the contents of attachments. */
export function keptBody(body: unknown): unknown {
  let left = MAX_CHARS;
  const text = (value: string): string => {
    const most = Math.max(0, Math.min(MAX_TEXT_CHARS, left));
    left -= Math.min(value.length, most);
    return value.length <= most ? value : `${value.slice(0, most)}… (${value.length} characters)`;
  };
  const keep = (value: unknown, depth: number, inFiles: boolean): unknown => {
    if (typeof value === 'string') return text(value);
    left -= 8;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0 || left <= 0) return '…';
    if (Array.isArray(value)) return keepEach(value, (item) => keep(item, depth - 1, inFiles));
    const entries = Object.entries(value).sort(([a], [b]) => Number(TRACKING.test(b)) - Number(TRACKING.test(a)));
    const fields = keepEach(entries, ([name, item]): [string, unknown] => {
      left -= Math.min(name.length, MAX_TEXT_CHARS);
      const isFile = inFiles && FILE_FIELDS.includes(name);
      const kept = isFile ? sizeOf(item) : keep(item, depth - 1, inFiles || FILE_LISTS.includes(name));
      return [name.slice(0, MAX_TEXT_CHARS), kept];
    });
    return Object.fromEntries(fields.map((field) => (typeof field === 'string' ? ['…', field] : field)));
  };
  const keepEach = <T, Kept>(items: readonly T[], keepOne: (item: T) => Kept): (Kept | string)[] => {
    const kept: (Kept | string)[] = [];
    for (const item of items) {
      if (left <= 0) return [...kept, `… (${items.length} items)`];
      kept.push(keepOne(item));
    }
    return kept;
  };
  return keep(body, MAX_DEPTH, false);
}

/** Like `keptBody`, without texts that may name an inbox: for readers who may not open all inboxes of the request. */
export function withoutAddresses(body: unknown): unknown {
  if (typeof body === 'string') return body.includes('@') ? '…' : body;
  if (Array.isArray(body)) return body.map(withoutAddresses);
  if (!isObject(body)) return body;
  const fields = Object.entries(body).filter(([name]) => !name.includes('@'));
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutAddresses(value)]));
}

function sizeOf(content: unknown): string {
  if (typeof content === 'string') return `(${content.length} characters)`;
  return isObject(content) && Array.isArray(content.data) ? `(${content.data.length} bytes)` : '(…)';
}
