import { clientOptions, withMayfly } from 'mayfly-cli';
import type { Mayfly, MayflyOptions } from 'mayfly-client';
import { inboxApi, runPage } from 'mayfly-client/api';
import type { EmailSummary, RunResponse, RunTest } from 'mayfly-protocol';
import { type Element, outcomesOf, type Part, type RunEmail, reportOf } from 'mayfly-protocol/run-report';
import { isRunSecret } from 'mayfly-protocol/run-secret';
import { OUTCOMES, type ShownTest, testsOf } from 'mayfly-protocol/run-tests';
import { whyUnusable, writeNewFile } from '../base/make-folder.js';
import { ownFiles } from '../own-package.js';
import { SettingsError } from '../settings/reading.js';
import type { Invocation } from './command.js';

/** Reasons that `whyUnusable` has for a folder, but not for a file in it. */
const UNWRITTEN: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already. Use a new file.',
  ENOENT: 'its folder does not exist. Create the folder first.',
  ENOTDIR: 'part of its path is a file, not a folder. Use another path.',
  ENAMETOOLONG: 'its name is too long. Use a shorter one.',
};

/** Maximum number of tests that are read: as many as the service keeps for a run. */
const MAX_TESTS = 5_000;

/** Maximum number of emails of failed tests that are read whole, and the maximum size of each. */
const MAX_TEXTS = 200;
const MAX_TEXT_MAIL_BYTES = 1024 * 1024;

export async function exportRun(invocation: Invocation, secret: string): Promise<number> {
  const { operands, options, settings } = invocation;
  const [file] = operands;
  if (file === undefined) throw new SettingsError('Specify the file to write, such as run.html. Try --help.');
  // The error does not repeat the value, which may be a mistyped secret, because others may read the log.
  if (!isRunSecret(secret)) throw new SettingsError('--run is not a run secret. Use 26 characters of a-z and 2-7.');
  if (settings.size > 0 || options.has('max-size'))
    throw new SettingsError('--run reads from the service (--url). Omit --store and --max-size.');
  const run = await withMayfly(invocation, (mayfly) => readRun(mayfly, secret, clientOptions(options)));
  if (run.tests.length === 0) throw new Error('The service has no test of this run, so no file was written.');
  const { html, leftOut } = runFile(run);
  await writeNewFile(file, html).catch((cause) => {
    throw new SettingsError(`${file} cannot be written: ${UNWRITTEN[cause.code] ?? whyUnusable(cause)}`, { cause });
  });
  const tests = run.tests.length === 1 ? '1 test' : `${run.tests.length} tests`;
  const rest = leftOut === 0 ? '' : `; ${leftOut} left out, since a file has at most ${MAX_FILE_BYTES / 2 ** 20} MiB`;
  process.stdout.write(`${tests} written to ${file}${rest}.\n`);
  return 0;
}

async function readRun(mayfly: Mayfly, secret: string, options: MayflyOptions): Promise<ExportedRun> {
  const tests: RunTest[] = [];
  // The web UI shows the same report.
  const files = ownFiles('page');
  const css = files.read(files.names().find((file) => file.endsWith('.css')) ?? '').toString();
  for (let from = 0; ; ) {
    const page = await runPage(secret, from, options);
    tests.push(...page.tests);
    if (page.next === null || tests.length >= MAX_TESTS) {
      const texts = await textsOf(tests, options);
      return { ...page, tests, texts, origin: mayfly.baseUrl, css };
    }
    from = page.next;
  }
}

async function textsOf(tests: readonly RunTest[], options: MayflyOptions): Promise<Map<EmailSummary, string>> {
  const texts = new Map<EmailSummary, string>();
  for (const { outcome, inboxes } of tests) {
    if (outcome !== 'failed') continue;
    for (const { to, emails } of inboxes) {
      for (const email of emails ?? []) {
        if (texts.size >= MAX_TEXTS) return texts;
        if (email.size > MAX_TEXT_MAIL_BYTES) continue;
        texts.set(email, await textOf(to, email, options));
      }
    }
  }
  return texts;
}

async function textOf(to: string, { receivedAt, text }: EmailSummary, options: MayflyOptions): Promise<string> {
  try {
    return (await inboxApi(to, options).email(receivedAt)).body;
  } catch {
    // The email may be gone by now. The `text` of its summary is the beginning of the body.
    return text;
  }
}

/** Maximum size of a file in bytes. Failed tests come first in the file, so the limit omits passed tests first. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;

export interface ExportedRun extends Pick<RunResponse, 'node' | 'now' | 'retentionMs' | 'tests'> {
  readonly texts: ReadonlyMap<EmailSummary, string>;
  readonly origin: string;
  readonly css: string;
}

/** The file runs no script and loads nothing, even if a hostile message got past the escaping. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The filter is a group of radio buttons that the styles read, because the file has no script. */
const STYLE = OUTCOMES.map(
  (outcome) => `
main:has([value=${outcome}]:checked) {
  .run-test:not([data-outcome=${outcome}]), .run-file:not(:has([data-outcome=${outcome}])), .run-rest > summary { display: none; }
  :is(.run-file, .run-rest)::details-content { content-visibility: visible; }
}`,
).join('');

/** One HTML file that shows a run and needs no service. `leftOut` is the number of tests that did not fit. */
export function runFile(run: ExportedRun): { readonly html: string; readonly leftOut: number } {
  const tests = testsOf(run.tests);
  const view = { retentionMs: run.retentionMs, now: Date.parse(run.now) };
  // The HTML of each test's content by the key of its fold, because a test is first measured, then written.
  const contents = new Map<string, string>();
  let bytes = 0;
  const kept = tests.filter((test) => {
    if (bytes <= MAX_FILE_BYTES) bytes += Buffer.byteLength(htmlOf(reportOf([test], view), run.texts, contents));
    return bytes <= MAX_FILE_BYTES;
  });
  const leftOut = tests.length - kept.length;
  const parts = [outcomesOf(tests), reportOf(kept, view)].map((part) => htmlOf(part, run.texts, contents));
  return { html: documentOf(run, tests, parts.join('\n'), leftOut), leftOut };
}

function documentOf(run: ExportedRun, tests: readonly ShownTest[], report: string, leftOut: number): string {
  const { node, now, origin, css } = run;
  const failed = tests.filter(({ outcome }) => outcome === 'failed').length;
  const rest = leftOut === 0 ? '' : `<p class="warning">Tests left out: ${leftOut}. The file has its maximum size.</p>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>${failed} failed – run – Mayfly</title>
<style>${css}${STYLE}</style>
<main class="run-report run-page stack">
<h1>Test run</h1>
<p class="soft text-14">${escaped(origin)}, node ${escaped(node)}, at ${escaped(now)}</p>
${rest}
${report}
</main>
</html>
`;
}

function htmlOf(parts: readonly Part[], texts: ExportedRun['texts'], contents: Map<string, string>): string {
  return parts.map((part) => htmlOfPart(part, texts, contents)).join('');
}

function htmlOfPart(part: Part, texts: ExportedRun['texts'], contents: Map<string, string>): string {
  if (typeof part === 'string') return isolated(part);
  if ('email' in part) return emailOf(part, texts.get(part.email) ?? part.email.text);
  if ('tag' in part) {
    const { tag, attributes, parts } = part;
    return `<${tag}${attributesOf(attributes)}>${tag === 'input' ? '' : `${htmlOf(parts, texts, contents)}</${tag}>`}`;
  }
  const { key, test, attributes, isOpen, summary } = part;
  const content = contents.get(key) ?? htmlOf(part.content(), texts, contents);
  if (test !== undefined) contents.set(key, content);
  return `<details${attributesOf({ ...attributes, open: isOpen })}><summary>${htmlOf(summary, texts, contents)}</summary>${content}</details>\n`;
}

function attributesOf(attributes: Element['attributes']): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escaped(`${value}`)}"`))
    .join('');
}

function emailOf({ email, late }: RunEmail, text: string): string {
  const { subject, from, fromName, receivedAt, code, magicLink } = email;
  const found = [code === null ? '' : `code ${code}`, magicLink === null ? '' : `link ${magicLink}`].filter(Boolean);
  const facts = [fromName || from || 'No sender', receivedAt, ...found].map(isolated).join(', ');
  const line = `${isolated(subject || 'No subject')} <span class="soft text-13">${facts}</span>`;
  const marked = late === '' ? line : `${line} <strong class="run-late">${late}</strong>`;
  if (text === '') return `<li class="run-email">${marked}</li>`;
  return `<li class="run-email"><details><summary>${marked}</summary><pre>${escaped(text)}</pre></details></li>`;
}

const MARKUP: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Invisible characters and those that change the direction of text. With them, a message could deceive its reader. */
const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text whose direction does not reorder what is next to it. */
const isolated = (text: string) => (text === '' ? '' : `<bdi>${escaped(text)}</bdi>`);

function escaped(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[&<>"']/g, (character) => MARKUP[character] ?? '')
    .replace(UNSEEN, (one) => `[U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
}
