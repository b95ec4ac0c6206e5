// Starts the service from its bundle, has it take and show some mail, and writes down the code that V8 has made of each
// file by then, for the starts to come: what nothing has called is not in it, and each process compiles that when its
// first mail comes. Run by tools/build-service.js, in a process of its own.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { load, loaded, writeCode } from '../packages/server/bin/bundle.js';

/** What other commands load is in there too; but a thread's files are for a thread. */
const LATER_FILES = /^(?!main|worker).*-[\w-]{8}\.js$/;

const TEXT =
  'Welcome to Example!\n\nYour code is 482913. It is valid for 10 minutes.\n\nhttps://app.example/verify?token=Zm9v\n';
const HTML = `<html><head><style>.code { font-size: 32px }</style></head><body><table>${'<tr><td style="color: #333">Thank you for signing up.</td></tr>'.repeat(20)}
<tr><td>Your code is <b class="code">482913</b></td></tr><tr><td><a href="https://app.example/verify?token=Zm9v&amp;n=1">Verify</a></td></tr>
<tr><td>&copy; Example, 94105 San Francisco. <a href="https://app.example/unsubscribe">Unsubscribe</a></td></tr></table></body></html>`;

/** What applications send. */
const MAILS = [
  { subject: 'Your code für today', text: TEXT, html: HTML },
  { subject: 'Confirm your address', html: HTML },
  { subject: 'Your code is 482913', text: TEXT },
  { subject: 'Your invoice', text: TEXT, attachments: [{ filename: 'invoice.pdf', content: 'invoice' }] },
];

const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-code-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const FLAGS = ['--smtp-port', '0', '--http-port', '0', '--store', `lmdb:${folder}`, '--log-level', 'error'];

process.argv.splice(2, Number.POSITIVE_INFINITY, 'serve', ...FLAGS);
const ready = new Promise((resolve) => {
  process.stdout.write = resolve;
});
load('main.js').run();
const [, port, url] = /^ready smtp=\S+:(\d+) http=(\S+)/.exec(await ready) ?? [];
if (url === undefined) process.exit(1);

const transport = createTransport({ host: '127.0.0.1', port: Number(port) });
for (const mail of MAILS) {
  const stream = await fetch(`${url}/api/inbox/demo/stream?after=${new Date().toISOString()}`);
  await transport.sendMail({ from: 'Example <app@app.example>', to: 'demo@inbox.example.com', ...mail });
  await stream.text();
  const { emails } = await (await fetch(`${url}/api/inbox/demo`)).json();
  if (emails[0]?.subject !== mail.subject) throw new Error('The service does not show the mail that it took.');
}

for (const name of readdirSync(new URL('../packages/server/bundle/', import.meta.url))) {
  if (LATER_FILES.test(name)) load(name);
}
for (const one of [...loaded.values()].reverse()) {
  // The entries have the same name whatever is in them.
  const name = path.basename(one.file);
  if (LATER_FILES.test(name) || name.startsWith('main-')) writeCode(one);
}
process.exit(0);
