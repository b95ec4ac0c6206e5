import { expect, test } from 'vitest';
import { readSettings, SettingsError } from '../../src/settings/reading.js';
import { fileError, listenError, messageOf } from '../../src/settings/resources.js';

const SETTINGS = readSettings(new Map([['smtp-port', ['25']]]), new Map());

const systemError = (code: string) => Object.assign(new Error(`${code}: what Node says`), { code });

// ../service/start.test.ts covers the errors that a test can cause for real.
test.each([
  ['EADDRINUSE', false, '--smtp-port: port 25 of 127.0.0.1 is in use'],
  ['EACCES', true, '--smtp-port: this user may not listen on port 25.'],
  ['EPERM', true, '--smtp-port: this user may not listen on port 25.'],
  ['EADDRNOTAVAIL', true, '--host: 127.0.0.1 is not an address of this machine.'],
  ['EAFNOSUPPORT', true, '--host: this machine does not support'],
  ['ENOTFOUND', true, '--host: the host name 127.0.0.1 does not resolve'],
  ['EAI_AGAIN', false, '--host: DNS lookup of 127.0.0.1 failed.'],
])('an explanation is added to the error %s while listening on a port', (code, isSetting, sentence) => {
  const cause = systemError(code);
  const error = listenError(cause, 'smtp-port', SETTINGS) as Error;
  expect(error.message).toContain(sentence);
  expect(error instanceof SettingsError).toBe(isSetting);
  expect(error.cause).toBe(cause);
});

test.each([
  ['ENOENT', true, 'there is no such file'],
  ['ELOOP', true, 'its symbolic links form a loop'],
  ['EIO', false, 'EIO: what Node says'],
])('an explanation is added to the error %s while reading a file', (code, isSetting, reason) => {
  const error = fileError(systemError(code), 'tls-key', 'k.pem');
  expect(error.message).toContain(`--tls-key: k.pem cannot be read: ${reason}. Use a PEM file`);
  expect(error instanceof SettingsError).toBe(isSetting);
});

test.each(['EMFILE', 'ENFILE'])('the error %s of a file or a port names the limit to raise', (code) => {
  const error = systemError(code);
  for (const told of [error, fileError(error, 'tls-key', 'k.pem'), listenError(error, 'http-port', SETTINGS)]) {
    expect(messageOf(told)).toMatch(/^No more files can be opened: raise the limit/);
    expect(told).not.toBeInstanceOf(SettingsError);
  }
});

test('an error without a system error code keeps its message', () => {
  const error = new Error('The store is locked.');
  expect(listenError(error, 'http-port', SETTINGS)).toBe(error);
  expect(messageOf(error)).toBe('The store is locked.');
});
