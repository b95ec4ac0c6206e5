import { afterEach, expect, test } from 'vitest';
import { OpenStreams } from '../../src/http/answer/open-streams.js';
import { type HttpEvents, sourceLabel } from '../../src/http/http-events.js';
import { startApi, type TestApi } from './api.js';

let api: TestApi;

afterEach(() => api?.close());

/** An API whose streams are counted, and what it told. */
async function counted() {
  const told: unknown[][] = [];
  const note =
    (name: keyof HttpEvents) =>
    (...facts: unknown[]) =>
      void told.push([name, ...facts]);
  const events: HttpEvents = {
    answered: () => {},
    streamOpened: note('streamOpened'),
    streamClosed: note('streamClosed'),
    streamEnded: note('streamEnded'),
    limited: note('limited'),
  };
  const streams = new OpenStreams({ total: 2, perClient: 1 }, events);
  api = await startApi({ events, streams });
  const open = async (name: string, remoteAddress = '127.0.0.1') => {
    const response = await api.app.inject({ url: `/api/inbox/${name}/stream`, remoteAddress, payloadAsStream: true });
    response.stream().resume();
    await api.clock.advance(0);
    return response.statusCode;
  };
  return { told, streams, open };
}

test('a stream without mail ends with the timeout after 30 s', async () => {
  const { told, open } = await counted();
  await open('demo');
  await api.clock.advance(29_999);
  expect(told).toEqual([['streamOpened']]);
  await api.clock.advance(1);
  expect(told).toContainEqual(['streamEnded', 'timeout', 30_000]);
  await expect.poll(() => told).toContainEqual(['streamClosed']);
  expect(told).toHaveLength(3);
});

test('one whose mail comes ends with that, after as long as it took', async () => {
  const { told, open } = await counted();
  await open('demo');
  await api.clock.advance(1_200);
  await api.mail('demo');
  await expect.poll(() => told).toContainEqual(['streamEnded', 'mail', 1_200]);
});

test('one that is open when the service stops is stopped', async () => {
  const { told, streams, open } = await counted();
  await open('demo');
  await api.clock.advance(5_000);
  streams.endAll();
  expect(told.filter(([name]) => name === 'streamEnded')).toEqual([['streamEnded', 'stopped', 5_000]]);
});

test('one that is refused is a limit that was reached: its client’s, or that of all', async () => {
  const { told, open } = await counted();
  expect(await open('a', '192.0.2.1')).toBe(200);
  expect(await open('a', '192.0.2.1')).toBe(429);
  expect(await open('b', '192.0.2.2')).toBe(200);
  expect(await open('c', '192.0.2.3')).toBe(503);
  expect(told).toEqual([['streamOpened'], ['limited', 'streams-per-client'], ['streamOpened'], ['limited', 'streams']]);
});

test.each<[unknown, ReturnType<typeof sourceLabel>]>([
  [{}, undefined],
  [undefined, undefined],
  [{ source: 'sdk' }, 'sdk'],
  [{ source: 'browser' }, 'browser'],
  [{ source: 'mcp' }, 'mcp'],
  [{ source: 'SDK' }, 'other'],
  [{ source: '' }, 'other'],
  [{ source: ['sdk', 'sdk'] }, 'other'],
  [{ source: '__proto__' }, 'other'],
])('the source of the query %o is %s', (query, label) => {
  expect(sourceLabel(query)).toBe(label);
});
