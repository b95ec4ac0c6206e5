import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStoreIn, readAtArrival, readMail, storedForm } from '../internals.js';
import { attachmentMail, CODE, htmlMail, LINK_PATH, textMail } from '../sample-mails.js';
import { newFolder } from '../service.js';

const HOUR_MS = 3_600_000;

describe('what benchmarks use of the inside', () => {
  let folder;
  beforeAll(() => {
    folder = newFolder();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['HTML', htmlMail, 14_000],
    ['text', textMail, 2_300],
    ['attachment', attachmentMail, 1_040_000],
  ])('reads the sample of %s as a user would', async (_name, make, bytes) => {
    const raw = await make();
    expect(Math.abs(raw.length / bytes - 1)).toBeLessThan(0.02);
    expect(raw.equals(await make())).toBe(true);
    const { otp, magicLink } = readMail(raw);
    expect(otp).toBe(CODE);
    expect(magicLink).toContain(LINK_PATH);
    expect(Buffer.from(readAtArrival(raw).record).includes(CODE)).toBe(true);
  });

  it('stores what the service would store', async () => {
    const raw = await htmlMail();
    const store = await openStoreIn(folder, { retentionMs: HOUR_MS });
    const recipients = [{ inbox: 'a', to: 'a@inbox.example.com' }];
    const { stored } = await store.append({ ...storedForm(raw), receivedAt: 1_000, recipients }, 1_000);
    expect(stored).toBe(true);
    expect(await store.list('a', {}, 1_000)).toHaveLength(1);
    expect(await store.list('a', {}, 1_000 + HOUR_MS)).toHaveLength(0);
    await store.close();
  });
});
