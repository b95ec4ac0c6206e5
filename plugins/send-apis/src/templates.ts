import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isObject, variableText } from 'mayfly-plugins-shared/sending/fields';
import type { Order, TemplateUse } from 'mayfly-plugins-shared/sending/order';
import { refuse } from 'mayfly-plugins-shared/sending/problem';

/** A template ID that may be a file name: no folder, and no hidden file. */
const FILE_ID = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;
export const MAX_FILE_BYTES = 1024 * 1024;

/** Extensions of a template's files, after its ID. */
export const FILE_ENDINGS = ['.subject.txt', '.txt', '.html'] as const;

/** Stands for a variable's name in errors, which are logged and must not contain a client's text. */
const VARIABLES = 'template variables';

/** Maximum size of all variables as text. */
const MAX_VARIABLES_CHARS = 256 * 1024;
const MAX_DEPTH = 8;
const PLACEHOLDER = /\{\{\{\s{0,9}([\w.$-]{1,100})\s{0,9}\}\}\}|\{\{\s{0,9}([\w.$-]{1,100})\s{0,9}\}\}/g;

type Texts = Pick<Order['letter'], 'subject' | 'text' | 'html'>;

/**
 * The letter of an order with its template. If `folder` has the template's files, fills them in; otherwise lists the
 * variables as text, so that a code in them is found. `X-Template-Id` names the template in both cases.
 */
export async function withTemplate({ letter, template }: Order, folder: string | null): Promise<Order['letter']> {
  if (template === null) return letter;
  const { id, variables } = template;
  const found = await filesOf(id, folder);
  const texts = found === null ? asText(template) : filledIn(found, variables);
  const headers = new Map([...letter.headers, ['X-Template-Id', id.replace(/[^!-~]/g, '?').slice(0, 200)]]);
  return {
    ...letter,
    headers,
    subject: letter.subject || texts.subject,
    text: letter.text || texts.text,
    html: letter.html || texts.html,
  };
}

/** Fills in `{{name}}`, escaped in HTML, and `{{{name}}}`, which is not escaped. Throws if a text gets too long. */
export function filledIn({ subject, text, html }: Texts, variables: TemplateUse['variables']): Texts {
  return {
    subject: fill(subject, variables, (value) => value),
    text: fill(text, variables, (value) => value),
    html: fill(html, variables, escapeHtml),
  };
}

function fill(text: string, variables: TemplateUse['variables'], written: (value: string) => string): string {
  let chars = 0;
  return text.replace(PLACEHOLDER, (_, raw?: string, name = '') => {
    const filled = raw === undefined ? written(textAt(variables, name)) : textAt(variables, raw);
    chars += filled.length;
    checkFilled(chars);
    return filled;
  });
}

function textAt(variables: unknown, name: string): string {
  let value = variables;
  for (const key of name.split('.')) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : '';
  return variableText(value, VARIABLES);
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  ...{ '"': '&quot;', "'": '&#39;' },
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] as string);
}

/** Writes one line `name: value` per variable. */
function asText({ id, variables }: TemplateUse): Texts {
  const lines: string[] = [];
  let left = MAX_VARIABLES_CHARS;
  const add = (name: string, value: unknown, depth: number): void => {
    if (left <= 0) return;
    if (typeof value === 'object' && value !== null && depth > 0) {
      for (const [key, item] of Object.entries(value)) add(name === '' ? key : `${name}.${key}`, item, depth - 1);
      return;
    }
    const line = `${name}: ${variableText(value, VARIABLES)}`.slice(0, left);
    left -= line.length;
    lines.push(line);
  };
  add('', variables, MAX_DEPTH);
  return { subject: `Template ${id}`.slice(0, 200), text: lines.join('\n') || `Template ${id}`, html: '' };
}

async function filesOf(id: string, folder: string | null): Promise<Texts | null> {
  if (folder === null || !FILE_ID.test(id)) return null;
  const read = (ending: string) => readBounded(path.join(folder, id + ending)).catch(nullIfMissing);
  const [subject, text, html] = await Promise.all(FILE_ENDINGS.map(read));
  if (text == null && html == null) return null;
  return { subject: subject?.trim() ?? '', text: text ?? '', html: html ?? '' };
}

/** Checks the size again, because `checkTemplates` runs only at startup. */
async function readBounded(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MAX_FILE_BYTES) refuse('too-large', { detail: `A template file may have up to ${MAX_FILE_BYTES} bytes.` });
  return readFile(file, 'utf8');
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return null;
  throw error;
}

/** Maximum number of tags per message, because each tag is searched for in all texts of the message. */
const MAX_TAGS = 200;
const MAX_CHARS = 16 * 1024 * 1024;

/** Maximum occurrences of a tag in one text, because each occurrence uses separate memory. */
const MAX_PLACES = 256 * 1024;

/** Maximum number of characters searched for one request, a few seconds of CPU time. */
const MAX_LOOKED_THROUGH = 512 * 1024 * 1024;

/** Fills in the texts of one request. Limits the work for each text and for all together. */
export class Filling {
  #left = MAX_LOOKED_THROUGH;

  /** Replaces each tag in a text by its value, tag after tag. Throws if the result is too long. */
  substituted(text: string, tags: ReadonlyMap<string, string>, field: string): string {
    if (tags.size > MAX_TAGS) refuse('invalid', { field, detail: `an object of at most ${MAX_TAGS} tags` });
    let result = text;
    for (const [tag, value] of tags) {
      if (tag === '' || result === '') continue;
      this.#left -= result.length;
      if (this.#left < 0) refuse('too-large', { detail: 'The substitutions take too long.' });
      const places = placesOf(tag, result);
      checkFilled(result.length + places * (value.length - tag.length));
      if (places > 0) result = result.split(tag).join(value);
    }
    return result;
  }
}

function checkFilled(chars: number): void {
  if (chars > MAX_CHARS) refuse('too-large', { detail: `A filled-in text may have at most ${MAX_CHARS} characters.` });
}

function placesOf(tag: string, text: string): number {
  let places = 0;
  for (let at = text.indexOf(tag); at >= 0; at = text.indexOf(tag, at + tag.length)) {
    places += 1;
    if (places > MAX_PLACES) refuse('too-large', { detail: `A tag may occur at most ${MAX_PLACES} times in a text.` });
  }
  return places;
}
