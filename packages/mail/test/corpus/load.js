import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import iconv from 'iconv-lite';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';

/**
 * Loads the corpus: every `*.mails` file of this folder, each with many messages. The README describes the format.
 * @returns {Promise<import('./load.js').CorpusCase[]>}
 */
export async function loadCorpus(folder = './') {
  return loadFrom(folder, ['otp', 'link'], ({ otp, link }) => ({ otp: orNull(otp), magicLink: orNull(link) }));
}

/**
 * Loads a corpus from another folder: `*.mails` files, or whole messages in `*.eml` files with a `labels.json` of the
 * expected results by file name. @param {string} path @returns {Promise<import('./load.js').CorpusCase[]>}
 */
export async function loadCorpusFrom(path) {
  const files = readdirSync(path, { recursive: true });
  if (!files.includes('labels.json')) return loadCorpus(pathToFileURL(`${path}/`));
  const labels = JSON.parse(readFileSync(`${path}/labels.json`, 'utf8'));
  return files
    .filter((file) => file.endsWith('.eml') && labels[basename(file, '.eml')] !== undefined)
    .toSorted()
    .map((file) => {
      const name = basename(file, '.eml');
      const { otp = null, magicLink = null } = labels[name];
      return { file, name, because: '', otp, magicLink, message: readFileSync(`${path}/${file}`) };
    });
}

/**
 * Loads the corpus in the folder `parts`, which tests codes with letters, and links of any wording.
 * @returns {Promise<import('./load.js').PartsCase[]>}
 */
export async function loadPartsCorpus() {
  return loadFrom('./parts/', ['codes', 'action'], ({ codes, action }) => ({
    codes: codes === 'none' ? [] : codes.split(', '),
    action: orNull(action),
  }));
}

/**
 * Loads the classes: each `*.cases` file in the folder `classes`, one message per line. The README describes the
 * format. @returns {Promise<import('./load.js').MailClass[]>}
 */
export function loadClasses() {
  return loadClassesFrom('./classes/');
}

/**
 * Loads the half of each class that was not used to develop the rules.
 * @returns {Promise<import('./load.js').MailClass[]>}
 */
export function loadSetAsideClasses() {
  return loadClassesFrom('./classes/set-aside/');
}

function loadClassesFrom(path) {
  const folder = new URL(path, import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.cases'));
  return Promise.all(files.toSorted().map((file) => readClass(file, readFileSync(new URL(file, folder), 'utf8'))));
}

async function readClass(file, content) {
  const [head = '', ...rows] = content.trim().split('\n');
  const [, because, field] = /^# (.*) Expected: (otp|magicLink|codes|action)\.$/.exec(head) ?? [];
  if (field === undefined) throw new Error(`${file}: the first line does not say "# … Expected: FIELD.".`);
  const cases = await Promise.all(rows.map((row, i) => readRow(`${file}:${i + 2}`, row)));
  return { name: file.slice(0, -'.cases'.length), because, field, cases };
}

async function readRow(place, row) {
  const cells = row.split(' ¦ ');
  if (cells.length < 4 || cells.length > 5) throw new Error(`${place}: a line has four cells, or five.`);
  const [expected, language, subject, written, sent] = cells;
  const body = written.replaceAll('\\n', '\n');
  const part = body.startsWith('<') ? { html: body } : { text: body };
  const message = await composeCase(sent, { subject, body, part });
  return { place, expected: orNull(expected), language, subject, message };
}

function composeCase(sent, { subject, body, part }) {
  if (sent === 'raw') return compose({ part: { raw: `From: App <no-reply@app.test>\nSubject: ${subject}\n${body}` } });
  return sent === undefined ? compose({ subject, part }) : composeIn(sent, { subject, part });
}

/** Loads the messages of a folder. `wanted` lists the fields with expected results, and `read` parses their values. */
async function loadFrom(path, wanted, read) {
  const folder = new URL(path, import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.mails'));
  const cases = files
    .toSorted()
    .flatMap((file) => readCases(file, readFileSync(new URL(file, folder), 'utf8'), [...wanted, 'because'], read));
  return Promise.all(cases.map(async (written) => ({ ...written.expected, message: await compose(written) })));
}

/** Splits a file into messages. A line `===== name` starts a message, a line `~~~ kind` one of its parts. */
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

/** The bytes of a message: as written, or composed from its text and HTML. */
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

/**
 * The bytes of a message, encoded as `sent` says: `windows-1250` is a charset without a label, `koi8-r as us-ascii` has
 * the label of another charset, `euc-jp in base64` has a transfer encoding.
 */
function composeIn(sent, { subject, part }) {
  const [, charset, label, encoding = '8bit'] = /^(\S+)(?: as (\S+))?(?: in (\S+))?$/.exec(sent) ?? [];
  if (charset === undefined) throw new Error(`"${sent}" does not say "CHARSET as LABEL in ENCODING".`);
  const [type, body] = part.html === undefined ? ['text/plain', part.text] : ['text/html', part.html];
  const head = [
    'From: App <no-reply@app.test>',
    'To: someone@inbox.test',
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    `Content-Type: ${type}${label === undefined ? '' : `; charset=${label}`}`,
    `Content-Transfer-Encoding: ${encoding}`,
  ];
  const bytes = encodeText(body.replaceAll('\n', '\r\n'), charset);
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), inTransfer(bytes, encoding)]);
}

function encodeText(text, charset) {
  if (charset === 'iso-2022-jp') return inJis(text);
  if (charset.startsWith('utf-16')) return iconv.encode(text, charset, { addBOM: false });
  return iconv.encode(text, charset);
}

/** ISO-2022-JP: EUC-JP characters in seven bits, between escapes (RFC 1468). */
function inJis(text) {
  const inAscii = '\x1b(B';
  const inCharacters = '\x1b$B';
  return Buffer.concat(
    [...text.matchAll(/[\0-\x7f]+|[^\0-\x7f]+/g)].map(([run]) =>
      run.charCodeAt(0) < 0x80
        ? Buffer.from(run)
        : Buffer.concat([
            Buffer.from(inCharacters),
            iconv.encode(run, 'euc-jp').map((byte) => byte & 0x7f),
            Buffer.from(inAscii),
          ]),
    ),
  );
}

function inTransfer(bytes, encoding) {
  if (encoding === '8bit') return bytes;
  if (encoding === 'base64') return Buffer.from(bytes.toString('base64').replace(/.{76}/g, '$&\r\n'));
  if (encoding === 'quoted-printable') return Buffer.from(quotedPrintable(bytes));
  throw new Error(`"${encoding}" is no transfer encoding.`);
}

/** Encodes bytes as quoted-printable, with a soft line break after every 70 characters or escapes. */
function quotedPrintable(bytes) {
  const written = [...bytes].map((byte) => {
    const isPlain = (byte >= 0x20 && byte < 0x7f && byte !== 0x3d) || byte === 0x0a || byte === 0x0d;
    return isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return written
    .join('')
    .split('\r\n')
    .map((line) => line.replace(/(?:=..|[^=]){70}/g, '$&=\r\n'))
    .join('\r\n');
}
