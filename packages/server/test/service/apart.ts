import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RawClient } from '../smtp/client.js';
import { askAgent, callTool } from './agent.js';
import { everyRoute, type Route } from './every-route.js';
import type { RunningMayfly } from './process.js';
import { ADDRESS, basic, MARKS, mayflyOf, ONE, SENDER, sendIn, sendOne, TWO } from './two-workspaces.js';

/** Nodes that share a store: one receives mail, the other answers requests. A single node may do both. */
export interface Nodes {
  readonly sentTo: RunningMayfly;
  readonly asked: RunningMayfly;
  /** The compatibility API of the node that answers. */
  readonly tool: 'mailpit' | 'mailhog';
}

/** A caller: the credentials that it uses as a send API key, or null, and the `Authorization` of other requests. */
export interface Viewer {
  readonly pair: string | null;
  readonly authorization: string | null;
  /** How long to read a stream that does not end. */
  readonly streamMs?: number;
}

const PHONE = '+15555550100';

const HELD = 'carol--hold@app.example';

const RUN = 'abcdefghijklmnopqrstuvwxyz';

/** How long to read a stream without events. */
const SILENT_STREAM_MS = 500;

/** Time limit for a node to learn about changes on another. */
const PATIENCE_MS = 120_000;

/** Values of path parameters, by name. A route with a new parameter requires a value for it. */
export type Values = Readonly<Record<string, string>>;

/** Query parameters without which a route does not show everything. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/api/attempts': ['', '?inboxes=all'],
  '/api/v1/search': ['?query=code', `?query=to:${ADDRESS}`],
  '/api/v2/search': ['?kind=containing&query=code', `?kind=to&query=${ADDRESS}`],
  '/search': ['?query=code'],
  '/v3/:domain/events': ['?message-id={mailgun}'],
  '/2010-04-01/Accounts/:sid/Messages.json': ['', `?To=${encodeURIComponent(PHONE)}`],
};

/** Routes that show no mail to any caller: pages, facts about the service, and routes that are not served. */
const WITHOUT_MAIL = [
  /^\/(?:all|assets\/.*|inbox\/:name|run\/:run)?$/,
  /^\/(?:healthz|livez|readyz|openapi\.json|api\/emails\/outline|api\/settings|api\/v2\/outgoing-smtp)\/?$/,
  /^\/api\/v1\/(?:chaos|events|info|tags|webui|message\/:id\/(?:html-check|link-check|sa-check|part\/:part\/thumb))\/?$/,
  /^\/api\/v2\/(?:jim|websocket)\/?$|^\/api\/v1\/messages\/:id\/mime/,
  /^\/search\/?$/,
  /^\/(?:email|emails|messages|messages\/(?:in|out)bound|v2\/email|v3\/:domain)$/,
  /^\/(?:2010-04-01|sms|sms-voice|sns|v1\/messages|v1\/Account)$/,
  /\*$/,
];

/** Routes with endless responses, which another test covers. */
const LIVE = ['/api/emails/stream', '/api/events', '/api/events/'];

/** Routes with data that only the node that received the mail has. */
const OF_ONE_NODE = ['/api/attempts', '/api/inbox/:name/attempts', '/api/run/:run'];

/**
 * Two projects that mail the same address must not see each other's mail on any route of the API document, the
 * compatibility API, the send APIs, the web UI or the tools for agents. Every route is included automatically, and must
 * show a project its own mail, or be listed as an exception.
 */
export function describeApart(nodes: () => Nodes): void {
  describe('a project with the same address as another', () => {
    test.each<[string, Viewer]>([
      ['in another ad-hoc workspace, by Basic', { pair: TWO, authorization: basic(TWO) }],
      ['in another ad-hoc workspace, by bearer', { pair: TWO, authorization: `Bearer ${TWO}` }],
      ['outside of every ad-hoc workspace', { pair: null, authorization: null }],
      [
        'with the same user and another password',
        { pair: 'run-1:secret-of-two', authorization: basic('run-1:secret-of-two') },
      ],
    ])('sees no mail of the other project on any route: %s', async (_, viewer) => {
      const { sentTo, asked, tool } = nodes();
      const values = await aProject(nodes());
      await sendIn(sentTo, viewer.pair, { to: ADDRESS, subject: 'Of another' });
      const before = await stateOf(nodes());
      const all = await everyRoute(tool);
      expect(missingIn(all, await documented(asked))).toEqual([]);
      const routes = all.filter(({ path }) => !LIVE.includes(path));
      const shown: string[] = [];
      for (const route of routes) shown.push(...(await marksIn(asked, route, values, viewer)));
      expect(shown).toEqual([]);
      // No route changed the first project's mail. To that project, all reading routes but `expected` show it.
      expect(await stateOf(nodes())).toEqual(before);
      const reading = routes.filter(({ method, path }) => method === 'GET' && !isWithoutMail(path));
      const own = { pair: ONE, authorization: basic(ONE), streamMs: PATIENCE_MS };
      const blind: Route[] = [];
      for (const route of reading) if ((await marksIn(asked, route, values, own)).length === 0) blind.push(route);
      const expected = sentTo === asked ? [] : OF_ONE_NODE;
      expect(blind.map(({ path }) => path).sort()).toEqual([...expected].sort());
      await leave(nodes());
    });

    test('sees no mail of the other project through the tools of agents', async () => {
      const { asked, sentTo } = nodes();
      await sendOne(sentTo);
      const { receivedAt } = await mayflyOf(asked, ONE).inbox(ADDRESS).waitForEmail({ hasOtp: true });
      const { tools } = await askAgent(asked, 'tools/list', {});
      const calls = tools.flatMap((tool: AgentTool) => callsOf(tool, receivedAt.toISOString()));
      const shown = async (key: string | undefined) => {
        const found: string[] = [];
        for (const { name, args } of calls) {
          const text = JSON.stringify(await callTool(asked, name, args, key));
          if (MARKS.some((mark) => text.includes(mark))) found.push(`${name} ${JSON.stringify(args)}`);
        }
        return found;
      };
      // Tools that wait for mail end with a timeout.
      expect(await Promise.all([shown(TWO), shown(undefined)])).toEqual([[], []]);
      // Every tool except the one that creates inboxes shows the project its mail.
      expect((await shown(ONE)).length).toBeGreaterThanOrEqual(tools.length - 1);
      await leave(nodes());
    });

    test("gets no event about the other project's mail, whether it has another ad-hoc workspace or none", async () => {
      const { asked, sentTo, tool } = nodes();
      const listening = await Promise.all(
        [TWO, null].map(async (pair) => {
          const headers: Record<string, string> = pair === null ? {} : { authorization: basic(pair) };
          const streams = [`/api/inbox/${ADDRESS}/stream?subject=Only`, '/api/emails/stream'];
          const listeners = streams.map((path) => Listener.toStream(asked.url + path, headers));
          if (tool === 'mailpit') listeners.push(Listener.toEvents(asked.url, headers));
          return { pair, subject: `Only of ${pair}`, listeners: await Promise.all(listeners) };
        }),
      );
      await sendOne(sentTo);
      await mayflyOf(asked, ONE).inbox(ADDRESS).waitForEmail();
      for (const { pair, subject } of listening) await sendIn(sentTo, pair, { to: ADDRESS, subject });
      for (const { subject, listeners } of listening) {
        const foreign = [...MARKS, ...listening.map((one) => one.subject).filter((one) => one !== subject)];
        for (const listener of listeners) {
          const heard = await listener.until(subject);
          expect(foreign.filter((mark) => heard.includes(mark))).toEqual([]);
          listener.end();
        }
      }
      await leave(nodes());
    });
  });
}

/** Delivers the mail of a project in its ad-hoc workspace. Resolves to values for the parameters of paths. */
async function aProject({ sentTo, asked, tool }: Nodes): Promise<Values> {
  await sendOne(sentTo);
  await sendOne(sentTo, HELD);
  await namesNoInbox(sentTo);
  const { receivedAt } = await mayflyOf(asked, ONE).inbox(ADDRESS).waitForEmail({ hasOtp: true });
  const report = { id: 'one', title: 'signs up', outcome: 'failed', inboxes: [ADDRESS], error: null, waits: [] };
  await post(sentTo, `/api/run/${RUN}`, { authorization: basic(ONE) }, { tests: [report] });
  const ids = await sentByApis(sentTo);
  // A compatibility API learns about changes on other nodes after a delay.
  const list = async () => messagesOf(asked, tool);
  const inboxes = [ADDRESS, PHONE].map((name) => mayflyOf(asked, ONE).inbox(name).emails());
  const emails = (await Promise.all(inboxes)).flat();
  await expect.poll(async () => (await list()).length, { timeout: PATIENCE_MS }).toBe(emails.length);
  const [message] = await list();
  return {
    ...{ name: ADDRESS, receivedAt: receivedAt.toISOString(), path: '1', run: RUN, part: '1', tag: 'code', '*': 'x' },
    ...{ id: message?.ID ?? '', file: `${message?.ID}.html`, domain: 'app.example' },
    ...ids,
  };
}

/** Sends only MAIL over SMTP and disconnects. */
async function namesNoInbox({ smtpPort }: RunningMayfly): Promise<void> {
  const client = await RawClient.greeted(smtpPort);
  const token = Buffer.from(`\0${ONE.replace(':', '\0')}`).toString('base64');
  await client.ask(`AUTH PLAIN ${token}`);
  await client.ask(`MAIL FROM:<${SENDER}>`);
  await client.ask('QUIT');
  client.destroy();
}

/** Sends through each send API. Resolves to the IDs with which senders find their messages at the providers. */
async function sentByApis(mayfly: RunningMayfly): Promise<Values> {
  const [subject, text] = ['Only for one', 'Your code is 739164'];
  const bearer = { authorization: `Bearer ${ONE}` };
  const html = `<p>${text}</p>`;
  const mail = { from: SENDER, to: ADDRESS, subject, text, html };
  const message = new URLSearchParams({ From: 'Acme', To: PHONE, Body: text });
  const twilio = await post(
    mayfly,
    '/2010-04-01/Accounts/AC1/Messages.json',
    { authorization: basic(`AC1:${ONE}`) },
    message,
  );
  const resend = await post(mayfly, '/emails', bearer, mail);
  const token = { 'x-postmark-server-token': ONE };
  const bodies = { TextBody: text, HtmlBody: html };
  const postmark = await post(mayfly, '/email', token, { From: SENDER, To: ADDRESS, Subject: subject, ...bodies });
  const form = new URLSearchParams(mail);
  const mailgun = await post(mayfly, '/v3/app.example/messages', { authorization: basic(`api:${ONE}`) }, form);
  const id = mailgun.id.replace(/[<>]/g, '');
  return {
    sid: 'AC1',
    twilio: twilio.sid ?? '',
    resend: resend.id,
    postmark: postmark.MessageID,
    mailgun: id,
    stored: id.split('@')[0] ?? '',
  };
}

export async function post(
  { url }: RunningMayfly,
  path: string,
  headers: Record<string, string>,
  body: object | URLSearchParams,
) {
  const isForm = body instanceof URLSearchParams;
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const sent = isForm ? body.toString() : JSON.stringify(body);
  const answer = await fetch(url + path, { method: 'POST', headers: { 'content-type': type, ...headers }, body: sent });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return JSON.parse((await answer.text()) || '{}') as Record<string, string> & {
    readonly id: string;
    readonly MessageID: string;
  };
}

export async function messagesOf(
  { url }: RunningMayfly,
  tool: Nodes['tool'],
  headers: Record<string, string> = { authorization: basic(ONE) },
): Promise<readonly { ID: string }[]> {
  const path = tool === 'mailpit' ? '/api/v1/messages' : '/api/v2/messages';
  const answer = await fetch(url + path, { headers });
  const { messages, items } = (await answer.json()) as Record<string, { ID: string }[] | undefined>;
  return messages ?? items ?? [];
}

/** Returns the parts of the first project's state that another caller could have changed. */
async function stateOf({ asked, tool }: Nodes) {
  const client = mayflyOf(asked, ONE);
  const emails = await client.inbox(ADDRESS).emails();
  return {
    ids: emails.map(({ id }) => id).sort(),
    shownOfHeld: (await client.inbox(HELD).emails()).length,
    // Includes the read state from the compatibility API.
    listed: await messagesOf(asked, tool),
  };
}

async function leave({ asked }: Nodes): Promise<void> {
  for (const pair of [ONE, TWO, 'run-1:secret-of-two', undefined]) {
    for (const address of [ADDRESS, HELD]) await mayflyOf(asked, pair).inbox(address).clear();
  }
}

async function documented({ url }: RunningMayfly): Promise<Route[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, ':$1'),
    })),
  );
}

function missingIn(routes: readonly Route[], wanted: readonly Route[]): string[] {
  const has = new Set(routes.map(({ method, path }) => `${method} ${path.replace(PATTERN, '')}`));
  return wanted.map(({ method, path }) => `${method} ${path}`).filter((route) => !has.has(route));
}

/** A parameter's pattern in a path. */
const PATTERN = /\(\^.*?\$\)/g;

function isWithoutMail(path: string): boolean {
  const plain = path.replace(/^\/\//, '/');
  return WITHOUT_MAIL.some((pattern) => pattern.test(plain)) || PATTERN_OF_WORDS.test(path);
}

/** Matches a parameter whose pattern is a list of words. Only paths that Mayfly does not serve have such parameters. */
const PATTERN_OF_WORDS = /:\w+\(\^\(\?:(\w+)/;

function filled(path: string, values: Values): string {
  return path
    .replace(
      /:(\w+)(\(\^.*?\$\))?/g,
      (whole, name) => PATTERN_OF_WORDS.exec(whole)?.[1] ?? valueFor(name, path, values),
    )
    .replace('*', valueFor('*', path, values));
}

function valueFor(name: string, path: string, values: Values): string {
  const value = values[name === 'id' ? idIn(path) : name];
  if (value === undefined) throw new Error(`${path} has a parameter without a value here: ${name}`);
  return value;
}

/** Returns the name of the field in `Values` whose ID belongs in this path. */
function idIn(path: string): string {
  if (/^\/+emails\//.test(path)) return 'resend';
  if (/^\/+messages\/outbound\//.test(path)) return 'postmark';
  if (/^\/+2010-04-01\//.test(path)) return 'twilio';
  return /^\/+v3\//.test(path) ? 'stored' : 'id';
}

/** Sends a request to a route, and resolves to those of the texts `marks` that the response contains. */
export async function marksIn(
  asked: RunningMayfly,
  route: Route,
  values: Values,
  viewer: Viewer,
  marks: readonly string[] = MARKS,
): Promise<string[]> {
  const found: string[] = [];
  const queries = QUERIES[route.path.replace(/^\/\//, '/').replace(/(.)\/$/, '$1')] ?? [''];
  for (const query of queries) {
    const path = filled(route.path, values) + query.replace('{mailgun}', values.mailgun ?? '');
    const text = await answerOf(asked.url + path, route, viewer);
    found.push(...marks.filter((mark) => text.includes(mark)).map((mark) => `${route.method} ${path} shows ${mark}`));
  }
  return found;
}

async function answerOf(url: string, { method, path }: Route, viewer: Viewer): Promise<string> {
  // Ends streams after `streamMs`, because the stream of an empty inbox would stay open for 30 s.
  const { streamMs = SILENT_STREAM_MS } = viewer;
  const signal = AbortSignal.timeout(path.endsWith('/stream') ? streamMs : 30_000);
  const isForm = path.endsWith('/html');
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) && !path.endsWith('/release');
  const type = { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' };
  const headers = { ...headersOf(path, viewer), ...(hasBody && type) };
  // This body names no message. A compatibility API then marks and deletes everything that its caller may see.
  const body = hasBody ? (isForm ? '' : JSON.stringify({ Read: true })) : null;
  return await fetch(url, { method, headers, body, signal, redirect: 'manual' })
    .then(async (answer) => `${answer.headers.get('location') ?? ''}${await answer.text()}`)
    .catch(() => '');
}

function headersOf(path: string, { pair, authorization }: Viewer): Record<string, string> {
  if (pair === null || authorization === null) return {};
  if (/^\/+v3\/(?:domains|:domain)/.test(path)) return { authorization: basic(`api:${pair}`) };
  if (/^\/+2010-04-01/.test(path)) return { authorization: basic(`AC1:${pair}`) };
  if (/^\/+(?:emails|sms|sns|v1\/(?:messages$|Account))/.test(path)) return { authorization: `Bearer ${pair}` };
  return /^\/+(?:email|messages)\b/.test(path) ? { 'x-postmark-server-token': pair } : { authorization };
}

interface AgentTool {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
    readonly required?: readonly string[];
  };
}

/** Returns a call of a tool for each value of an enumerated argument. */
function callsOf({ name, inputSchema: { properties, required = [] } }: AgentTool, receivedAt: string) {
  const values: Readonly<Record<string, string>> = { inbox: ADDRESS, received_at: receivedAt };
  const fixed = Object.fromEntries(required.filter((one) => !properties[one]?.enum).map((one) => [one, values[one]]));
  for (const [argument, value] of Object.entries(fixed)) {
    if (value === undefined) throw new Error(`The tool ${name} has an argument without a value here: ${argument}`);
  }
  const timeout = 'timeout_seconds' in properties ? { timeout_seconds: 1 } : {};
  const listed = required.find((one) => properties[one]?.enum);
  const choices = listed === undefined ? [{}] : (properties[listed]?.enum ?? []).map((one) => ({ [listed]: one }));
  return choices.map((choice) => ({ name, args: { ...fixed, ...timeout, ...choice } }));
}

/** Collects the data received on an open connection. */
class Listener {
  #heard = '';
  #wake: () => void = () => {};
  readonly end: () => void;

  private constructor(end: () => void) {
    this.end = end;
  }

  static async toStream(url: string, headers: Record<string, string>): Promise<Listener> {
    const leaving = new AbortController();
    const { body } = await fetch(url, { headers, signal: leaving.signal });
    const listener = new Listener(() => leaving.abort());
    const pieces = body?.pipeThrough(new TextDecoderStream());
    const begun = new Promise<void>((resolve, reject) => {
      const read = async () => {
        for await (const piece of pieces ?? []) {
          listener.#hear(piece);
          resolve();
        }
      };
      read().catch((error) => (leaving.signal.aborted ? resolve() : reject(error)));
    });
    await begun;
    return listener;
  }

  static async toEvents(url: string, headers: Record<string, string>): Promise<Listener> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/events`, { headers });
    const listener = new Listener(() => socket.terminate());
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.on('message', (data) => listener.#hear(String(data)));
    return listener;
  }

  /** Resolves to the received data once it contains this text. */
  async until(text: string): Promise<string> {
    while (!this.#heard.includes(text)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#heard;
  }

  #hear(text: string): void {
    this.#heard += text;
    this.#wake();
  }
}
