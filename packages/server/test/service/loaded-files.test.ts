import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const LOADER = fileURLToPath(new URL('../../bin/bundle.js', import.meta.url));

/**
 * What a fresh process loads until it is ready, and then for its first mail: files of the bundle, each without its hash. A suite pays for all of it at every start: what only some need is imported where they need it. These lists may shrink.
 */
const BEFORE_READY = [
  ...[
    'admission',
    'bounded-map',
    'certificate-files',
    'checks',
    'clock',
    'configured-store',
    'counted-lines',
    'event-loop',
    'extension',
    'http',
    'jobs',
    'limits',
    'log',
    'made-name',
    'main',
    'main.js',
    'make-folder',
    'manifest',
  ],
  ...['maybe-promise', 'open-lmdb', 'parameters', 'portions', 'ports', 'read', 'reading'],
  ...['rolldown-runtime', 'secure-json-parse', 'semaphore', 'send-apis', 'service', 'summary-record', 'table', 'text'],
  ...['thread-messages', 'timed-id', 'ucs2length'],
];
const FOR_FIRST_MAIL = ['listing', 'parse', 'read-mail', 'read-page', 'sender', 'uuencode', 'words'];

/** How large all of these are together, so that none of them grows unseen either. The tree of words is 640 of it. */
const MOST_KILOBYTES = 2_550;

const MAIL = ['From: app@app.test', 'Subject: Your code is 482913', '', '482913', '.'];

/** Starts a service on LMDB, sends it a mail and reads it. */
const PROGRAM = `
  const { once } = require('node:events');
  const { mkdtempSync, rmSync, statSync } = require('node:fs');
  const { connect } = require('node:net');
  const { basename } = require('node:path');
  const { createInterface } = require('node:readline');
  const { load, loaded } = require(${JSON.stringify(LOADER)});
  const folder = mkdtempSync(require('node:os').tmpdir() + '/mayfly-loaded-');
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const flags = ['--http-port', '0', '--smtp-port', '0', '--store', 'lmdb:' + folder, '--log-level', 'silent'];
  process.argv.splice(1, Number.POSITIVE_INFINITY, 'mayfly', 'serve', ...flags);
  const names = () => [...loaded.values()].map(({ file }) => basename(file).replace(/-[\\w-]{8}\\.js$/, ''));
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = async (line) => {
    process.stdout.write = write;
    const [, host, port, url] = /smtp=(.+):(\\d+) http=(\\S+)/.exec(line);
    const ready = names();
    const socket = connect(Number(port), host);
    const commands = ['EHLO app.test', 'MAIL FROM:<app@app.test>', 'RCPT TO:<demo@inbox.example.com>', 'DATA'];
    const said = [...commands, ${JSON.stringify(MAIL.join('\r\n'))}, 'QUIT'];
    createInterface({ input: socket }).on('line', (reply) => {
      if (/^[23]\\d\\d /.test(reply) && said.length > 0) socket.write(said.shift() + '\\r\\n');
    });
    await once(socket, 'close');
    const { emails } = await (await fetch(url + '/api/inbox/demo')).json();
    const mail = names().filter((name) => !ready.includes(name));
    const bytes = [...loaded.values()].reduce((sum, { file }) => sum + statSync(file).size, 0);
    write(JSON.stringify({ ready, mail, kilobytes: bytes / 1024, otp: emails[0].otp }), () => process.exit());
  };
  load('main.js').run();
`;

test('a fresh process loads what is listed until it is ready, what is listed for its first mail, and nothing else', () => {
  const found = JSON.parse(execFileSync(process.execPath, ['--eval', PROGRAM], { encoding: 'utf8', timeout: 50_000 }));
  expect(found.otp).toBe('482913');
  expect([...found.ready].sort()).toEqual([...BEFORE_READY].sort());
  expect([...found.mail].sort()).toEqual(FOR_FIRST_MAIL);
  expect(found.kilobytes).toBeLessThan(MOST_KILOBYTES);
});
