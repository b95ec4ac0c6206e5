// Runs code.js outside of Maestro, with the globals that code.js uses. Its `http.get` runs curl.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

const { MAYFLY_URL, INBOX } = process.env;
const output = {};
const http = {
  get: (url) => ({ body: execFileSync('curl', ['--silent', '--max-time', '40', url], { encoding: 'utf8' }) }),
};
const script = readFileSync(new URL('code.js', import.meta.url), 'utf8');
runInNewContext(`'use strict';(() => {${script}})()`, { http, output, MAYFLY_URL, INBOX, json: JSON.parse });
console.log(output.code);
