import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Compressing } from '../../src/http/answer/compressing.js';
import type { App } from '../../src/http/framework.js';
import { noise } from '../store/mail.js';

/** How many answers are compressed at a time (D34). */
const PLACES = 16;
const PLACES_PER_CLIENT = 2;

const KIB = 1024;
const PIECE = Buffer.from(noise(48 * KIB).toString('base64'));
const LARGE = Buffer.from(noise(4_000 * KIB).toString('base64'));

let app: App;
let url: string;
/** How many small pieces were asked for: each when the one before is compressed. */
let asked: number;
let isOver: boolean;
const begun: IncomingMessage[] = [];

beforeEach(async () => {
  asked = 0;
  isOver = false;
  app = fastify() as App;
  const compressing = new Compressing();
  app.addHook('onRequest', async (request) => {
    request.caller = {
      client: String(request.headers['x-client']),
      workspace: null,
      privateInbox: null,
      space: null,
      counted: null,
    };
  });
  async function* small() {
    for (; !isOver; asked += 1) yield PIECE;
  }
  const answers = { small, large: () => [LARGE] };
  for (const [name, pieces] of Object.entries(answers)) {
    app.get(`/${name}`, async (_request, reply) => compressing.begin(reply, Number.POSITIVE_INFINITY)?.(pieces()));
  }
  app.get('/bytes/:count', async (request, reply) => {
    const { count } = request.params as { count: string };
    return compressing.begin(reply, Number(count))?.([PIECE]) ?? 'as it is';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  isOver = true;
  for (const response of begun.splice(0)) response.destroy();
  await app.close();
});

/** An answer that a client takes as it comes. */
async function begin(name: 'small' | 'large', client: number): Promise<IncomingMessage> {
  const headers = { 'accept-encoding': 'gzip', 'x-client': `${client}` };
  const [response] = (await once(get(`${url}/${name}`, { agent: false, headers }), 'response')) as [IncomingMessage];
  expect(response.headers['content-encoding']).toBe('gzip');
  begun.push(response);
  response.on('error', () => {});
  return response.resume();
}

test('whoever needs a thread of Node does not wait for those who compress, however many they are', async () => {
  for (let n = 0; n < PLACES; n++) await begin('small', 1 + Math.floor(n / PLACES_PER_CLIENT));
  const waitedFor: number[] = [];
  for (let n = 0; n < 21; n++) {
    const before = asked;
    await stat('.');
    waitedFor.push(asked - before);
  }
  const median = waitedFor.toSorted((a, b) => a - b)[10];
  expect(median).toBeLessThan(PLACES / 4);
});

test('whoever compresses has turns while others compress what is large and came at once', async () => {
  let askedMeanwhile = 0;
  const both = [await begin('large', 1), await begin('large', 2)];
  const ends = both.map((response) => once(response, 'end'));
  const over = Promise.all(ends).then(() => {
    askedMeanwhile = asked;
  });
  await begin('small', 3);
  await over;
  expect(askedMeanwhile).toBeGreaterThan(LARGE.length / PIECE.length / 4);
});

test.each([
  [64 * KIB - 1, undefined],
  [64 * KIB, 'gzip'],
])('an answer of %i bytes comes as %s', async (count, encoding) => {
  const { headers } = await app.inject({ url: `/bytes/${count}`, headers: { 'accept-encoding': 'gzip' } });
  expect(headers['content-encoding']).toBe(encoding);
});
