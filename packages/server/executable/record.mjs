// Runs the service from the assets of the executable, as the Node of the executable, and keeps the code that V8 compiles
// for it: from the start to the first emails, and in a parser thread. "node record.mjs ASSETS"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { htmlMail, textMail } from '../../../bench/sample-mails.js';
import loader from './bundle-loader.js';

const [ASSETS] = process.argv.slice(2).map((name) => path.resolve(name));
const store = mkdtempSync(path.join(tmpdir(), 'mayfly-record-'));

/** The program of a parser thread that writes the code it has compiled after each task. */
const THREAD = `
  const { parentPort } = require('node:worker_threads');
  const { readFileSync, writeFileSync } = require('node:fs');
  const assets = { names: () => [], read: (name) => readFileSync(${JSON.stringify(`${ASSETS}/`)} + name) };
  const scripts = require(${JSON.stringify(fileURLToPath(new URL('bundle-loader.js', import.meta.url)))}).startBundle(assets, 'worker.js');
  const { postMessage } = parentPort;
  parentPort.postMessage = (...message) => {
    for (const [name, script] of scripts) writeFileSync(${JSON.stringify(`${ASSETS}/compiled/`)} + name, script.createCachedData());
    postMessage.apply(parentPort, message);
  };`;

const assets = {
  names: () =>
    readdirSync(ASSETS, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll(path.sep, '/'))
      .filter((name) => !name.startsWith('compiled')),
  read: (name) => (name === 'main.js' ? Buffer.from(THREAD) : readFileSync(path.join(ASSETS, name))),
};

mkdirSync(path.join(ASSETS, 'compiled'));
process.env.XDG_CACHE_HOME = store;
for (const name of Object.keys(process.env)) if (name.startsWith('MAYFLY_')) delete process.env[name];
const places = ['--store', `lmdb:${store}/store`, '--http-port', '0', '--smtp-port', '0'];
process.argv.splice(2, Infinity, 'serve', ...places);

const ready = new Promise((resolve) => {
  const { write } = process.stdout;
  process.stdout.write = (text) => {
    process.stdout.write = write;
    resolve(/smtp=\S+:(\d+) http=(\S+)/.exec(text).slice(1));
    return true;
  };
});
const scripts = loader.startBundle(assets, 'main.js');
process.once('exit', () => {
  for (const [name, script] of scripts) writeFileSync(path.join(ASSETS, 'compiled', name), script.createCachedData());
  rmSync(store, { recursive: true });
});

const [smtpPort, url] = await ready;
for (const [number, mail] of [await textMail(), await htmlMail(), await htmlMail()].entries()) {
  const stream = get(`${url}/api/inbox/first-${number}/stream`);
  await deliver(mail, `first-${number}@inbox.example.com`);
  await stream;
  await get(`${url}/api/inbox/first-${number}`);
}
const { emails } = JSON.parse(await get(`${url}/api/inbox/first-2`));
await get(`${url}/api/inbox/first-2/${emails[0].receivedAt}/explain`);
await get(`${url}/`);
process.kill(process.pid, 'SIGTERM');

function get(from) {
  return new Promise((resolve, reject) => {
    http
      .get(from, { agent: false }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${from}: ${response.statusCode}`));
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
      })
      .on('error', reject);
  });
}

async function deliver(mail, to) {
  const socket = net.connect(Number(smtpPort), '127.0.0.1').setEncoding('utf8');
  const replies = socket[Symbol.asyncIterator]();
  const lines = ['EHLO app.example', 'MAIL FROM:<app@app.example>', `RCPT TO:<${to}>`, 'DATA', `${mail}\r\n.`, 'QUIT'];
  for (const line of lines) {
    await replies.next();
    socket.write(`${line}\r\n`);
  }
  await replies.next();
}
