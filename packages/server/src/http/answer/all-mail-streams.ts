import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.js';
import { httpErrors } from '../../errors.js';
import type { AllMail, Follower, ListedText, Viewer } from '../../inbox/all/all-mail.js';
import { Quota } from '../../limits/quota.js';
import { whenOver } from './answers.js';
import type { OpenStream, OpenStreams } from './open-streams.js';
import { RETRY_SOON, RequestError } from './request-error.js';

/** As on the stream of an inbox: proxies close what is silent for a minute. */
const BEAT_MS = 10_000;

/** The client then opens another: a key that is no longer valid must not serve for longer. */
const MOST_MS = 600_000;

/** Each is told of all mail, so few may be open: a person has a few tabs. */
const BOUNDS = { total: 100, perClient: 20 };

/** A client that is further behind is cut. */
const MAX_UNSENT_BYTES = 256 * 1024;

export interface AllMailStreamsOptions {
  readonly all: AllMail;
  readonly streams: OpenStreams;
  readonly clock: Clock;
}

/** The open streams of all mail. They count among all streams, and are bounded by themselves. */
export class AllMailStreams {
  readonly #options: AllMailStreamsOptions;
  readonly #quota = new Quota(BOUNDS);
  /** Apart: anyone can make up pairs, and must not close the list to the operator. */
  readonly #spaceQuota = new Quota(BOUNDS);

  constructor(options: AllMailStreamsOptions) {
    this.#options = options;
  }

  /** Follows all mail for a client. Rejects with 429 and 503, and if the store cannot be read. */
  async open(client: string, viewer: Viewer, response: ServerResponse): Promise<AllMailStream> {
    const quota = viewer.space === null ? this.#quota : this.#spaceQuota;
    const release = quota.take(client);
    if (typeof release === 'string') throw new RequestError(httpErrors.tooManyFollowers, {}, RETRY_SOON);
    const { all, streams, clock } = this.#options;
    let stream: AllMailStream | null = null;
    const over = () => {
      release();
      if (stream !== null) streams.close(client, stream);
    };
    try {
      stream = await streams.open(client, () => new AllMailStream(viewer, response, clock));
      const leave = await all.follow(stream);
      stream.over = () => {
        leave();
        over();
      };
      return stream;
    } catch (error) {
      over();
      throw error;
    }
  }
}

/** One stream: comments as on the stream of an inbox, and events of its own (D67). */
class AllMailStream implements OpenStream, Follower {
  readonly #viewer: Viewer;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #endsAt: number;
  /** What was told before the head was sent. */
  #early: string | null = '';
  #cancelBeat = () => {};
  over = () => {};

  constructor(viewer: Viewer, response: ServerResponse, clock: Clock) {
    this.#viewer = viewer;
    this.#response = response;
    this.#clock = clock;
    this.#endsAt = clock.monotonic() + MOST_MS;
  }

  /** To be called once the head is written. */
  begin(): void {
    whenOver(this.#response, () => {
      this.#cancelBeat();
      this.over();
    });
    const early = this.#early ?? '';
    this.#early = null;
    this.#write(`: connected\n\n${early}`);
    this.#beatLater();
  }

  mayOpen(inbox: string): boolean {
    return this.#viewer.mayOpen(inbox);
  }

  came(emails: readonly ListedText[]): void {
    this.#write(emails.map(({ json }) => `event: email\ndata: ${json}\n\n`).join(''));
  }

  changed(): void {
    this.#write('event: changed\ndata: {}\n\n');
  }

  end(): void {
    this.#response.end();
  }

  #beatLater(): void {
    if (this.#response.destroyed) return;
    this.#cancelBeat = this.#clock.after(BEAT_MS, () => {
      if (this.#clock.monotonic() >= this.#endsAt) this.end();
      else {
        this.#write(': keepalive\n\n');
        this.#beatLater();
      }
    });
  }

  #write(text: string): void {
    if (this.#early !== null) this.#early += text;
    else if (this.#response.writableLength > MAX_UNSENT_BYTES) this.#response.destroy();
    else if (!this.#response.writableEnded) this.#response.write(text, 'latin1');
  }
}
