// What emails take in Redis, and streams that wait in a node on it and in the server.
import { figure } from './figures.js';
import { openStoreAt, packedBytes, storedForm } from './internals.js';
import { startRedis } from './redis.js';
import { startService, UNLIMITED } from './service.js';
import { bytesEach, PROBE } from './suite/streams.js';

/** How many emails an inbox has where the memory of an email is measured: alone, or one of so many. */
const IN_AN_INBOX = [1, 20];

const HOUR_MS = 3_600_000;

/** How many emails are stored at the same time. */
const AT_ONCE = 64;

/**
 * The figures of the memory that Redis takes for emails of some kinds, `{ mail, make }` each, so many at once; and of
 * what a node and its server take for each of so many streams.
 */
export async function measureRedisMemory(kinds, { emails, streams }, progress) {
  const figures = [];
  for (const { mail, make } of kinds) {
    const form = storedForm(await make());
    for (const inAnInbox of IN_AN_INBOX) {
      progress(`memory of an email, ${mail}`);
      figures.push(...(await bytesOfEmail(form, { mail, emails, inAnInbox })));
    }
  }
  progress('memory of a stream');
  figures.push(...(await figuresOfStream(streams)));
  return figures;
}

/** What one waiting stream takes, as the mean of many. */
async function figuresOfStream(streams) {
  const redis = await startRedis();
  try {
    const service = await startService(UNLIMITED, { store: redis.url, nodeFlags: PROBE });
    try {
      let ofServer = 0;
      const path = (n) => `/api/inbox/idle-${n}/stream`;
      const before = await redis.usedBytes();
      const look = async () => {
        ofServer = (await redis.usedBytes()) - before;
      };
      const { resident, heap } = await bytesEach(service, service.process, streams, path, look);
      const how = { unit: 'KB', better: 'less' };
      return [
        figure({ what: 'an idle stream on Redis: its node, resident', ...how, ours: resident }),
        figure({ what: 'an idle stream on Redis: its node, heap and buffers', ...how, ours: heap }),
        figure({ what: 'an idle stream on Redis: the server', ...how, ours: ofServer / streams / 1_024 }),
      ];
    } finally {
      await service.stop();
    }
  } finally {
    await redis.stop();
  }
}

/** What one email takes in Redis, and what of that is beside its bytes. */
async function bytesOfEmail(form, { mail, emails, inAnInbox }) {
  const redis = await startRedis();
  try {
    const store = await openStoreAt(redis.url, { retentionMs: HOUR_MS });
    const append = async (n) => {
      const inbox = `stored-${Math.floor(n / inAnInbox)}`;
      const recipients = [{ inbox, to: `${inbox}@inbox.example.com` }];
      const { stored } = await store.append({ ...form, receivedAt: Date.now(), recipients }, Date.now());
      if (!stored) throw new Error('the store is full');
    };
    const before = await redis.usedBytes();
    for (let n = 0; n < emails; n += AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, emails - n) }, (_, i) => append(n + i)));
    }
    await store.close();
    const bytes = ((await redis.usedBytes()) - before) / emails;
    const where = inAnInbox === 1 ? 'alone in its inbox' : `one of ${inAnInbox} in its inbox`;
    const how = { unit: 'bytes', better: 'less' };
    return [
      figure({ what: `${mail} in Redis, ${where}`, ...how, ours: bytes }),
      figure({ what: `${mail} in Redis, ${where}: beside its bytes`, ...how, ours: bytes - (await packedBytes(form)) }),
    ];
  } finally {
    await redis.stop();
  }
}
