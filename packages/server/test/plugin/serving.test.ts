import { afterAll, afterEach, expect, test } from 'vitest';
import { endAll, fetchInbox, type RunningMayfly, serve, transportTo } from '../service/process.js';
import { pluginFolder, pluginText } from './plugin-folder.js';

const folder = await pluginFolder();

afterEach(endAll);
afterAll(() => folder.remove());

/** Starts a service with a memory store and a plugin with these members. */
async function serving(name: string, members: string, args: readonly string[] = []): Promise<RunningMayfly> {
  const file = await folder.file(`${name}.js`, pluginText(name, members));
  return serve(['--store', 'memory:', '--plugin', file, ...args]);
}

const send = (mayfly: RunningMayfly, to: string, options: object = {}) =>
  transportTo(mayfly, options).sendMail({
    from: 'app@app.example',
    to: `${to}@inbox.example.com`,
    subject: 'Hello',
    text: 'Your code is 482913',
  });

// biome-ignore lint/suspicious/noExplicitAny: the routes of test plugins return values of any shape.
const json = async (mayfly: RunningMayfly, path: string): Promise<any> => (await fetch(mayfly.url + path)).json();

test("a plugin's listener is called for each new email, even if another listener throws or hangs", async () => {
  const mayfly = await serving(
    'listener',
    `setUp(host) {
      const seen = [];
      host.onEmail(() => { throw new Error('not today', { cause: new Error('connect ECONNREFUSED') }); });
      host.onEmail(() => new Promise(() => {}));
      host.onEmail((email, { inbox, signal }) => void seen.push({ inbox, aborted: signal.aborted, ...email }));
      host.addRoutes({ root: '/seen', add(app) { app.get('/', async () => seen); } });
      host.onClose(() => process.stderr.write('closed\\n'));
      setInterval(() => {}, 1_000);
    }`,
  );
  for (const name of ['anna', 'ben', 'anna']) await send(mayfly, name);
  await expect.poll(() => json(mayfly, '/seen')).toHaveLength(3);
  const seen = await json(mayfly, '/seen');
  const { emails } = await fetchInbox(mayfly, 'ben');
  const { rawBody: _, ...brief } = emails[0] as unknown as Record<string, unknown>;
  expect(seen[1]).toEqual({ inbox: 'ben', aborted: false, ...brief });
  expect(seen[1]).toMatchObject({
    to: 'ben@inbox.example.com',
    otp: '482913',
    magicLink: null,
    body: 'Your code is 482913',
  });
  expect(await mayfly.end('SIGTERM')).toBe(0);
  // The service logs this failure once a minute, however often the listener fails.
  expect(
    mayfly.log().match(/The plugin listener failed to handle a new email: not today \(connect ECONNREFUSED\)\. *$/gm),
  ).toHaveLength(1);
  expect(mayfly.log()).toContain('closed\n');
});

test("a plugin's listener is called for held mail once it is released", async () => {
  const mayfly = await serving(
    'held',
    `setUp(host) {
      const seen = [];
      host.onEmail((email, { inbox }) => void seen.push(inbox));
      host.addRoutes({ root: '/seen', add(app) { app.get('/', async () => seen); } });
    }`,
  );
  await send(mayfly, 'anna--hold');
  await send(mayfly, 'ben');
  await expect.poll(() => json(mayfly, '/seen')).toEqual(['ben']);
  expect((await fetch(`${mayfly.url}/api/inbox/anna--hold/release`, { method: 'POST' })).status).toBe(200);
  await expect.poll(() => json(mayfly, '/seen')).toEqual(['ben', 'anna--hold']);
});

test('a plugin can hold mail, apply a rate limit across all nodes, and release the mail', async () => {
  const mayfly = await serving(
    'later',
    `setUp(host) {
      const held = host.holdMail((inbox) => inbox.startsWith('later-'));
      const windows = host.windows('releases');
      const hide = (one) => (one.inbox.startsWith('later-') ? { ...one, inbox: held.inboxOf(one.inbox) } : one);
      host.receive((next) => ({
        ...next,
        deliver: (mail) => next.deliver({ ...mail, recipients: mail.recipients.map(hide) }),
      }));
      const rate = { count: 1, windowMs: 60_000 };
      host.addRoutes({ root: '/later', add(app, { records }) {
        app.get('/:name', async ({ params: { name } }) => ({
          waitMs: await windows.use(name, rate, host.clock.monotonic()),
          ...(await held.release(name, [2, 1])),
        }));
        app.get('/listed', async () => {
          const { emails, holding } = await records.newest(null);
          return { inboxes: emails.map(({ inbox }) => inbox), holding };
        });
      } });
    }`,
  );
  for (let n = 0; n < 3; n += 1) await send(mayfly, 'later-anna');
  await send(mayfly, 'ben');
  expect((await fetchInbox(mayfly, 'later-anna')).emails).toEqual([]);
  expect(await json(mayfly, '/later/listed')).toEqual({ inboxes: ['ben'], holding: Array(3).fill('later-anna') });
  expect(await json(mayfly, '/later/later-anna')).toEqual({ waitMs: 0, released: 2, held: 1 });
  expect((await fetchInbox(mayfly, 'later-anna')).emails).toHaveLength(2);
  expect(await json(mayfly, '/later/later-anna')).toEqual({ waitMs: expect.any(Number), missing: 2, held: 1 });
  await fetch(`${mayfly.url}/api/inbox/later-anna`, { method: 'DELETE' });
  expect(await json(mayfly, '/later/listed')).toEqual({ inboxes: ['ben'], holding: [] });
});

test("a plugin's routes have the authentication, limits and errors of the service", async () => {
  const mayfly = await serving(
    'routes',
    `settings: { 'routes-limit': one(kinds.rate, '2/1h', 'Calls.') },
    limits: { calls: { setting: 'routes-limit', text: 'Too many calls. The limit is {limit}.', where: 'calls' } },
    errors: { http: { full: { code: 'cup-full', status: 418, text: 'The cup has {size} ml.', where: 'tea' } } },
    setUp(host) {
      const full = { code: 'cup-full', status: 418, text: 'The cup has {size} ml.' };
      host.addRoutes({ root: '/tea', add(app, { access }) {
        app.get('/', async () => { throw new RequestError(full, { size: 3 }); });
        app.get('/unfilled', async () => { throw new RequestError(full); });
        app.get('/of/:name', async (request) => ({ inbox: access.inboxOf(request) }));
        app.get('/calls', { config: { limit: 'calls' } }, async () => ({}));
        app.get('/broken', async () => { throw new Error('secret'); });
        app.get('/null', async () => { throw null; });
        app.get('/status', async () => { throw Object.assign(new Error('short and stout.'), { statusCode: 418 }); });
        app.post('/json', async () => ({}));
      } });
    }`,
    ['--read-limit', '8/1h', '--workspace', 'acme=acme-key-0123456789abcdef'],
  );
  const get = async (path: string, headers = {}) => {
    const answer = await fetch(`${mayfly.url}/tea${path}`, { headers });
    return { status: answer.status, code: answer.headers.get('mayfly-error'), ...((await answer.json()) as object) };
  };
  expect(await get('/')).toEqual({ status: 418, code: 'cup-full', error: 'The cup has 3 ml.' });
  expect(await get('/unfilled')).toMatchObject({ status: 418, error: 'The cup has {size} ml.' });
  expect(await get('/of/acme-1')).toMatchObject({ status: 401, code: 'owned-name' });
  expect(await get('/of/anna')).toMatchObject({ status: 200, inbox: 'anna' });
  const key = { authorization: 'Bearer acme-key-0123456789abcdef' };
  expect(await get('/of/acme-1', key)).toMatchObject({ status: 200, inbox: 'acme-1' });
  expect(await get('/', { origin: 'https://other.example' })).toMatchObject({ status: 403, code: 'cross-site' });
  expect(await get('/broken')).toMatchObject({ status: 500, code: 'internal' });
  expect(mayfly.log()).toContain('A request failed in the plugin routes.');
  expect(await get('/none')).toMatchObject({
    status: 404,
    code: 'not-found',
    error: 'There is nothing at this path. A plugin serves the paths below /tea: see its documentation.',
  });
  expect(await get('/null')).toMatchObject({ status: 500, code: 'internal' });
  expect(await get('/status')).toEqual({
    ...{ status: 418, code: 'plugin-refusal' },
    error: 'The plugin routes refused the request: short and stout.',
  });
  const typed = { 'content-type': 'application/json' };
  const posted = await fetch(`${mayfly.url}/tea/json`, { method: 'POST', headers: typed, body: '{' });
  expect([posted.status, posted.headers.get('mayfly-error')]).toEqual([400, 'bad-json']);
  expect(await get('/')).toMatchObject({ status: 429, code: 'too-many-requests' });
  const calls = [await get('/calls'), await get('/calls'), await get('/calls')];
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(calls[2]).toHaveProperty('error', expect.stringMatching(/^Too many calls\. The limit is 2 in /));
});

test.each(['seen', 'send'])('a route with the unknown limit %s stops the start', async (limit) => {
  const setUp = `setUp(host) {
    host.addRoutes({ root: '/tea', add(app) { app.get('/', { config: { limit: '${limit}' } }, async () => ({})); } });
  }`;
  await expect(serving('unlimited', setUp)).rejects.toThrow(
    new RegExp(
      `ended with 2: .*The plugin unlimited \\(.*\\) failed: the route /tea\\S* names the limit "${limit}", which is not in "limits" \\(.*, line 3\\)\\.`,
      's',
    ),
  );
});

test.each([
  ['', '/api/inbox/:name', 'already declared'],
  ['/api', '/emails', 'already declared'],
])('a plugin cannot replace a route of the service: %s%s', async (root, path, why) => {
  const setUp = `setUp(host) { host.addRoutes({ root: '${root}', add(app) { app.get('${path}', async () => []); } }); }`;
  await expect(serving('taken', setUp)).rejects.toThrow(
    new RegExp(`ended with 2: .*The plugin taken \\(.*\\) failed: .*${why}`, 's'),
  );
});

test.each([
  ["setUp(host) { host.onEmail('x') }", 'host.onEmail needs a function'],
  ['setUp(host) { host.onClose() }', 'host.onClose needs a function'],
  ['setUp(host) { host.receive(5) }', 'host.receive needs a function'],
  ['setUp(host) { host.receive(() => {}) }', 'must return an object with recipientOf and deliver'],
  ["setUp(host) { host.receive(() => { throw new Error('no way') }) }", 'no way'],
  ['setUp(host) { host.addRoutes() }', 'host.addRoutes needs an object'],
  ["setUp(host) { host.addRoutes({ root: 'tea', add() {} }) }", 'a "root" that begins with / or is empty'],
  ['setUp(host) { host.addRoutes({ ownerOf() {}, add() {} }) }', 'only Mayfly\'s own plugins may have "ownerOf"'],
  ["setUp(host) { host.settings['max-message'] = 1 }", 'read only property'],
  ["setUp(host) { host.settings.domain.push('evil.test') }", 'not extensible'],
  ['setUp() { throw Object.create(null) }', 'it threw a value that is not an error'],
  ['sending() { return { ses: { AWS_URL: 5 } } }', '"sending" must return a string'],
  ['sending() { return { ses: null } }', '"sending" must return a string'],
  ["async check() { throw new Error('later') }", 'a function that must be synchronous returned a promise'],
])('with %s in a plugin, the start fails with an error that names the plugin', async (members, why) => {
  await expect(serving('odd', members)).rejects.toThrow(
    new RegExp(`ended with 2: .*The plugin odd \\(.*\\) failed: .*${why}`, 's'),
  );
});

test("a plugin's task runs in a parser thread, and a task that throws affects no other task", async () => {
  await folder.file(
    'work.js',
    `import { isMainThread } from 'node:worker_threads';
    export const count = (bytes, { times }) => [Buffer.from(JSON.stringify({ isMainThread, n: bytes.length * times }))];
    export const broken = () => { throw new Error('no'); };
    export const nothing = () => [];`,
  );
  const mayfly = await serving(
    'tasks',
    `tasks: () => import('./work.js'),
    setUp(host) {
      host.addRoutes({ root: '/tasks', add(app) {
        app.get('/:task', async ({ params }) => {
          const found = await host.run(params.task, { times: 2 }, Buffer.from('four')).catch(({ message }) => message);
          return typeof found === 'string' ? { failed: found } : JSON.parse(Buffer.from(found[0]).toString());
        });
      } });
    }`,
  );
  expect(await json(mayfly, '/tasks/count')).toEqual({ isMainThread: false, n: 8 });
  expect(await json(mayfly, '/tasks/broken')).toEqual({ failed: 'no' });
  expect(await json(mayfly, '/tasks/nothing')).toEqual({
    failed: 'The task "nothing" of the plugin tasks returned a value that is not bytes.',
  });
  expect(await json(mayfly, '/tasks/none')).toEqual({ failed: 'The plugin tasks has no task "none".' });
  expect(await json(mayfly, '/tasks/count')).toEqual({ isMainThread: false, n: 8 });
});

test('a delivery hook can reject mail or drop the reply, and mail is stored even if the hook throws', async () => {
  const mayfly = await serving(
    'way-in',
    `setUp(host) {
      host.receive((next) => ({
        ...next,
        refusalOf({ inbox }, from, until) {
          if (inbox === 'busy') return { code: 450, enhanced: '4.2.1', text: 'Mailbox busy' };
          if (inbox === 'odd') return { code: 250, enhanced: '2.0.0', text: 'fine' };
          if (inbox === 'late') return Promise.resolve({ code: 550, enhanced: '5.1.1', text: 'No such user' });
          return next.refusalOf({ inbox }, from, until);
        },
        async deliver(mail) {
          const [{ inbox }] = mail.recipients;
          if (inbox === 'full') {
            return { stored: false, reason: 'rehearsed', error: { code: 552, enhanced: '5.2.2', text: 'Mailbox full' } };
          }
          if (inbox === 'throws') throw new Error('no');
          const delivered = await next.deliver(mail);
          if (inbox === 'throws-then') throw new Error('no');
          if (inbox === 'lost') return { ...delivered, ending: { delayMs: 0, isLost: true } };
          return inbox === 'nonsense' ? { stored: 'yes' } : delivered;
        },
      }));
    }`,
  );
  await expect(send(mayfly, 'busy')).rejects.toThrow('450 4.2.1 Mailbox busy');
  await expect(send(mayfly, 'late')).rejects.toThrow('550 5.1.1 No such user');
  await expect(send(mayfly, 'full')).rejects.toThrow('552 5.2.2 Mailbox full');
  await expect(send(mayfly, 'lost')).rejects.toThrow();
  for (const name of ['odd', 'throws', 'throws-then', 'nonsense', 'anna']) await send(mayfly, name);
  for (const name of ['busy', 'late', 'full']) expect((await fetchInbox(mayfly, name)).count).toBe(0);
  for (const name of ['lost', 'odd', 'throws', 'throws-then', 'nonsense', 'anna']) {
    expect([name, (await fetchInbox(mayfly, name)).count]).toEqual([name, 1]);
  }
  expect(mayfly.log()).toContain('The plugin way-in failed, so mail was delivered without it: no.');
});

test('startMayfly loads a plugin and accepts its options', async () => {
  const { checkStartOptions, startMayfly } = await import('mayfly-inbox');
  const file = await folder.file(
    'options.js',
    pluginText(
      'options',
      `settings: { 'options-word': optional(kinds.file, 'A word.') },
      setUp(host) {
        host.addRoutes({ root: '/word', add(app) { app.get('/', async () => host.settings['options-word']); } });
      }`,
    ),
  );
  const options = { plugin: file, optionsWord: 'tea' };
  checkStartOptions(options);
  await using mayfly = await startMayfly(options);
  expect(await (await fetch(`${mayfly.url}/word`)).text()).toBe('tea');
  await expect(startMayfly({ plugin: file, optionWord: 'tea' } as object)).rejects.toThrow(
    'startMayfly: "optionWord" is not an option. Did you mean optionsWord?',
  );
  await expect(startMayfly({ plugin: `${file}x` })).rejects.toThrow('there is no file');
});
