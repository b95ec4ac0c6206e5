import { readdirSync, readFileSync } from 'node:fs';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';

/**
 * Reads the corpus: every `*.mails` file of this folder, each with many messages. The README says how they are written.
 * @returns {Promise<import('./load.js').CorpusCase[]>}
 */
export async function loadCorpus() {
  return loadFrom('./', ['otp', 'link'], ({ otp, link }) => ({ otp: orNull(otp), magicLink: orNull(link) }));
}

/**
 * Reads the part of the corpus for codes with letters and for links whatever their words: the same of the folder `parts`.
 * @returns {Promise<import('./load.js').PartsCase[]>}
 */
export async function loadPartsCorpus() {
  return loadFrom('./parts/', ['codes', 'action'], ({ codes, action }) => ({
    codes: codes === 'none' ? [] : codes.split(', '),
    action: orNull(action),
  }));
}

/** The messages of a folder. `wanted` are the fields of a message that say what is to be found, `read` makes values of them. */
async function loadFrom(path, wanted, read) {
  const folder = new URL(path, import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.mails'));
  const cases = files
    .toSorted()
    .flatMap((file) => readCases(file, readFileSync(new URL(file, folder), 'utf8'), [...wanted, 'because'], read));
  return Promise.all(cases.map(async (written) => ({ ...written.expected, message: await compose(written) })));
}

/** Splits a file into its messages. A line `===== name` begins one, a line `~~~ kind` one of its contents. */
function readCases(file, content, wanted, read) {
  const [, ...chunks] = `\n${content}`.split('\n===== ');
  return chunks.map((chunk) => readCase(file, chunk, wanted, read));
}

function readCase(file, chunk, wanted, read) {
  const [head, ...contents] = chunk.split('\n~~~ ');
  const [name, ...fields] = head.trim().split('\n');
  const field = Object.fromEntries(fields.map((line) => splitOnce(line, ': ')));
  const part = Object.fromEntries(contents.map((text) => splitOnce(text, '\n')));
  for (const key of wanted) {
    if (field[key] === undefined) throw new Error(`${file}: "${name}" has no line "${key}: ...".`);
  }
  const expected = { file, name, ...read(field), because: field.because };
  return { expected, subject: field.subject ?? '', encoding: field.encoding, part };
}

function splitOnce(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text.trim(), ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function orNull(value) {
  return value === 'none' ? null : value;
}

/** The bytes of a message: as they are written, or composed of its text and its HTML. */
async function compose({ subject, encoding, part }) {
  if (part.raw !== undefined) return Buffer.from(part.raw.trimEnd().replaceAll('\n', '\r\n'));
  const { text, html } = part;
  const mail = {
    from: 'App <no-reply@app.test>',
    to: 'someone@inbox.test',
    subject,
    text,
    html,
    textEncoding: encoding,
  };
  return new MailComposer(mail).compile().build();
}
