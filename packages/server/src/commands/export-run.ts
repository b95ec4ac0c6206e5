import { clientOptions, withMayfly } from 'mayfly-cli';
import type { Mayfly, MayflyOptions } from 'mayfly-client';
import { inboxApi, runPage } from 'mayfly-client/api';
import type { EmailSummary, RunHidden, RunInbox, RunResponse, RunTest } from 'mayfly-protocol';
import { isRunSecret } from 'mayfly-protocol/run-secret';
import { writeNewFile } from '../base/make-folder.js';
import { SettingsError } from '../settings/reading.js';
import type { Invocation } from './command.js';

const UNWRITTEN: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already. Use a new file',
  ENOENT: 'its folder does not exist. Create the folder first',
  ENOTDIR: 'part of its path is a file, not a folder. Use another path',
  EACCES: 'this user may not write there. Use another folder',
  EPERM: 'this user may not write there. Use another folder',
  EROFS: 'its file system is read-only. Use a folder on another file system',
  ENAMETOOLONG: 'its name is too long. Use a shorter one',
  ENOSPC: 'no space is left on its disk. Free some space, or use another disk',
  EMFILE: 'too many files are open. Raise the limit on open files',
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
  const own = clientOptions(options);
  const run = await withMayfly(invocation, (mayfly) => readRun(mayfly, secret, own));
  if (run.tests.length === 0) throw new Error('The service has no test of this run, so no file was written.');
  const { html, leftOut } = runFile(run);
  await writeNewFile(file, html).catch((cause) => {
    const why = UNWRITTEN[cause.code] ?? `${cause.message}. Use another file`;
    throw new SettingsError(`${file} cannot be written: ${why}.`, { cause });
  });
  const tests = run.tests.length === 1 ? '1 test' : `${run.tests.length} tests`;
  const rest = leftOut === 0 ? '' : `; ${leftOut} left out, since a file has at most ${MAX_FILE_BYTES / 2 ** 20} MiB`;
  process.stdout.write(`${tests} written to ${file}${rest}.\n`);
  return 0;
}

async function readRun(mayfly: Mayfly, secret: string, options: MayflyOptions): Promise<ExportedRun> {
  const tests: RunTest[] = [];
  for (let from = 0; ; ) {
    const page = await runPage(secret, from, options);
    tests.push(...page.tests);
    if (page.next === null || tests.length >= MAX_TESTS) {
      const texts = await textsOf(tests, options);
      return { ...page, tests, texts, origin: mayfly.baseUrl };
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

export interface ExportedRun extends Pick<RunResponse, 'counts' | 'node' | 'now' | 'tests'> {
  readonly texts: ReadonlyMap<EmailSummary, string>;
  readonly origin: string;
}

/** The file runs no script and loads nothing, even if a hostile message got past the escaping. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The filter is a checkbox that the styles read, because the file has no script. */
const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 80rem; margin: 0 auto; padding: 1rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid #8886; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
th:first-child, td:first-child { width: 6rem; white-space: nowrap; }
th:last-child, td:last-child { width: 50%; }
b { font: 600 0.875rem ui-monospace, monospace; }
pre { margin: 0; font: inherit; font-size: 0.875rem; opacity: 0.8; white-space: pre-wrap; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0; list-style: none; }
small { opacity: 0.8; }
.failed > td:first-child, .none { color: light-dark(#b3261e, #ff9d94); font-weight: 650; }
:target { background: light-dark(#e0f1ee, #17332f); }
body:has(#failed-only:checked) tbody tr:not(.failed) { display: none; }
@media (max-width: 36rem) {
  thead { display: none; }
  tr, td, td:first-child, td:last-child { display: block; width: auto; }
  td:not(:last-child) { padding-bottom: 0; border: 0; }
}
`;

/** One HTML file that shows a run and needs no service. `leftOut` is the number of tests that did not fit. */
export function runFile(run: ExportedRun): { readonly html: string; readonly leftOut: number } {
  const isFailed = ({ outcome }: RunTest) => outcome === 'failed';
  const tests = [...run.tests.filter(isFailed), ...run.tests.filter((test) => !isFailed(test))];
  const rows: string[] = [];
  let bytes = 0;
  for (const test of tests) {
    const row = rowOf(test, run.texts);
    bytes += Buffer.byteLength(row);
    if (bytes > MAX_FILE_BYTES) break;
    rows.push(row);
  }
  const leftOut = tests.length - rows.length;
  return { html: documentOf(run, rows, leftOut), leftOut };
}

function documentOf({ counts, node, now, origin }: ExportedRun, rows: readonly string[], leftOut: number): string {
  const parts = Object.entries(counts).flatMap(([outcome, count]) => (count > 0 ? `${count} ${outcome}` : []));
  const rest = leftOut === 0 ? '' : `<p class="none">${leftOut} tests are left out: the file has its maximum size.</p>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>${counts.failed} failed – run – Mayfly</title>
<style>${STYLE}</style>
<h1>Run of tests</h1>
<p>${parts.join(', ') || 'No test has used an inbox'}. <small>${escaped(origin)}, node ${escaped(node)}, at ${escaped(now)}</small></p>
${rest}
<p><label><input type="checkbox" id="failed-only"> Failed only</label></p>
<table>
<thead><tr><th scope="col">Outcome</th><th scope="col">Test</th><th scope="col">Mail</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</html>
`;
}

function rowOf(test: RunTest, texts: ExportedRun['texts']): string {
  const { id, title, outcome, error, waits, inboxes } = test;
  const reasons = [...waits.map(({ text }) => text).filter((text) => !error?.includes(text)), error ?? ''];
  const shown = reasons.filter(Boolean).map((text) => `<pre>${escaped(text)}</pre>`);
  const failedAt = outcome === 'failed' ? Date.parse(test.reportedAt) : Number.NaN;
  const mail = inboxes.map((inbox) => inboxOf(inbox, texts, failedAt)).join('');
  return `<tr id="${escaped(id)}" class="${outcome}"><td>${outcome}</td><td>${escaped(title)}${shown.join('')}</td><td>${mail}</td></tr>`;
}

const WHY_HIDDEN: Readonly<Record<RunHidden, string>> = {
  'key-needed': 'Mail not shown: its workspace requires a key or credentials.',
  'not-readable': 'Mail not shown: the inbox is private, or the client that reported the test could not read it.',
  'too-many-names': 'Mail not shown: too many inbox names were looked up.',
};

function inboxOf({ to, emails, hidden }: RunInbox, texts: ExportedRun['texts'], failedAt: number): string {
  if (emails === null)
    return `<div><b>${escaped(to)}</b><br><small>${WHY_HIDDEN[hidden ?? 'not-readable']}</small></div>`;
  if (emails.length === 0) return `<div><b>${escaped(to)}</b><br><span class="none">No email.</span></div>`;
  const items = emails.map((email) => `<li>${emailOf(email, texts.get(email) ?? email.text, failedAt)}</li>`);
  return `<div><b>${escaped(to)}</b><ul>${items.join('')}</ul></div>`;
}

/** `failedAt` is when the test failed. An email that arrived later is shown as late. */
function emailOf(email: EmailSummary, text: string, failedAt: number): string {
  const { subject, from, fromName, receivedAt, code, magicLink } = email;
  const lateMs = Date.parse(receivedAt) - failedAt;
  const late =
    lateMs > 0 ? ` <strong class="none">${(lateMs / 1000).toFixed(1)} s later, after the test had failed</strong>` : '';

  const found = [code === null ? '' : `code ${code}`, magicLink === null ? '' : `link ${magicLink}`].filter(Boolean);
  const facts = [fromName || from || 'No sender', receivedAt, ...found].map(escaped).join(', ');
  const body = text === '' ? '' : `<details><summary>Text</summary><pre>${escaped(text)}</pre></details>`;
  return `<bdi>${escaped(subject || 'No subject')}</bdi> <small>${facts}</small>${late}${body}`;
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

function escaped(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[&<>"']/g, (character) => MARKUP[character] ?? '')
    .replace(
      UNSEEN,
      (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}
