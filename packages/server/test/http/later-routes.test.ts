import { newRunSecret } from 'mayfly-protocol/run-secret';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExtensionRoutes } from '../../src/http/app.js';
import { startApi, type TestApi } from './api.js';

let api: TestApi | undefined;

afterEach(async () => {
  await api?.close();
  api = undefined;
});

/** The interface with routes below `/later`, listening; `add` is called when they are built. */
async function listening(add: ExtensionRoutes['add']) {
  const later = { below: ['/later'], posted: ['/'] };
  api = await startApi({ extensions: [{ root: '', later, add }] });
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  return async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, init);
    await answer.body?.cancel();
    const { status, headers } = answer;
    return { status, policy: headers.get('x-content-type-options'), allow: headers.get('allow') };
  };
}

test('what is refused of every request is refused of theirs, too', async () => {
  const get = await listening((app) => {
    app.get('/later/known', async (_request, reply) => reply.send({}));
  });
  expect((await get('/later/unknown')).status).toBe(404);
  expect(await get('/later/known', { method: 'POST' })).toMatchObject({ status: 405, allow: 'GET, HEAD' });
});

test('a path that they take a POST at is known to take no other method', async () => {
  const get = await listening((app) => {
    app.post('/', async (_request, reply) => reply.send({}));
  });
  expect(await get('/')).toMatchObject({ status: 405, allow: 'POST' });
  expect((await get('/', { method: 'POST' })).status).toBe(200);
  expect((await get('/laterx')).status).toBe(404);
});

test('routes that cannot be built are an error of ours, and the others go on', async () => {
  const get = await listening(() => {
    throw new Error('not today');
  });
  expect((await get('/later/a')).status).toBe(500);
  expect((await get('/healthz')).status).toBe(200);
});

describe('rare routes of ours, built later', () => {
  let url = '';

  beforeEach(async () => {
    api = await startApi({ localOnly: true, hasLaterRoutes: true });
    url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  });

  test('answer, check their input and refuse as those that are built at the start', async () => {
    await api?.mail('demo');
    const listed = await (await fetch(`${url}/api/emails`)).json();
    expect(listed).toMatchObject({ emails: [{ inbox: 'demo' }], count: 1 });
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(url + path, init);
      await answer.body?.cancel();
      return [answer.status, answer.headers.get('mayfly-error'), answer.headers.get('allow')];
    };
    expect(await ask('/api/emails?limit=0')).toEqual([400, 'bad-query', null]);
    expect(await ask('/api/emails', { method: 'POST' })).toEqual([405, 'method-not-allowed', 'GET, HEAD']);
    expect(await ask('/api/emails/other')).toEqual([404, 'not-found', null]);
    expect(await ask('/api/run/short')).toEqual([400, 'bad-run', null]);
    const headers = { 'content-type': 'application/json' };
    const report = (body: unknown) => ({ method: 'POST', headers, body: JSON.stringify(body) });
    const run = `/api/run/${newRunSecret()}`;
    expect(await ask(run, report({ tests: [] }))).toEqual([400, 'bad-run-report', null]);
    const test = { id: 'a', title: 'a', outcome: 'passed', inboxes: ['demo'], error: null, waits: [] };
    expect(await ask(run, report({ tests: [test] }))).toEqual([200, null, null]);
    expect(await (await fetch(url + run)).json()).toMatchObject({ tests: [{ inboxes: [{ emails: [{}] }] }] });
  });
});
