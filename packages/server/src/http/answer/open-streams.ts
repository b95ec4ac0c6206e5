import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import { type Limits, OWN_LIMITS } from '../../limits/limits.js';
import type { QuotaBounds } from '../../limits/quota.js';
import type { Reply } from '../framework.js';
import type { HttpEvents } from '../http-events.js';
import { sendHead } from './answers.js';
import { RETRY_SOON, RequestError, stoppingError } from './request-error.js';

/** A client's share of `--streams-per-client` while streams are scarce (D13). */
const SCARCE_SHARE = 0.1;

/** Turns off buffering, because a proxy that buffers would hold an email back. */
const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', connection: 'close' };

/** Interval of keepalives (interface section 6). Proxies close connections that are silent for a minute. */
const KEEPALIVE_MS = 10_000;

const CONNECTED = Buffer.from(': connected\n\n');
const KEEPALIVE = Buffer.from(': keepalive\n\n');

export function scarceStreams(perClient: number): number {
  return Math.ceil(perClient * SCARCE_SHARE);
}

export interface OpenStream {
  /** Ends the stream without an event, unless an event is being sent. */
  end(): void;
}

export type OpenStreams = ReturnType<typeof openStreams>;

/** Limits the number of open streams, and ends them on a stop (D13). */
export function openStreams(bounds: QuotaBounds, events?: HttpEvents, counting: Limits = OWN_LIMITS) {
  const quota = counting.quota('open-stream', bounds);
  const open = new Set<OpenStream>();
  let isEnding = false;
  return {
    /** Counts a client's stream until the caller calls the returned function. Rejects with 429 or 503. */
    async open(client: string, stream: OpenStream): Promise<() => void> {
      const release = await quota.take(client);
      if (release === 'all-taken') {
        events?.limited('streams');
        throw new RequestError(httpErrors.allStreamsTaken, {}, RETRY_SOON);
      }
      if (release === 'client-full') {
        events?.limited('streams-per-client');
        throw new RequestError(httpErrors.tooManyStreams, { limit: bounds.perClient }, RETRY_SOON);
      }
      if (isEnding) {
        release();
        throw stoppingError();
      }
      open.add(stream);
      events?.streamOpened();
      return () => {
        release();
        open.delete(stream);
        events?.streamClosed();
      };
    },

    endAll(): void {
      isEnding = true;
      for (const stream of open) stream.end();
    },
  };
}

export function beginStream(reply: Reply): void {
  sendHead(reply, STREAM_HEADERS);
  reply.raw.write(CONNECTED);
}

/** Sends a comment every 10 s, `times` times, and then calls `over`. Returns a function that stops the comments. */
export function keepAlive(clock: Clock, response: ServerResponse, times: number, over: () => void): () => void {
  let cancel = () => {};
  const wait = (left: number) => {
    cancel = clock.after(KEEPALIVE_MS, () => {
      if (left === 0) return over();
      response.write(KEEPALIVE);
      wait(left - 1);
    });
  };
  wait(times);
  return () => cancel();
}
