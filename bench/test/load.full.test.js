import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../../tools/needs.js';
import { GAVE_UP } from '../http.js';
import { fillSmallInbox, measure } from '../load.js';
import { startService } from '../service.js';
import { deliver, RefusedError } from '../smtp.js';

/** How long is measured, and after how long somebody gives up: enough for a few requests of each kind. */
const MEASURED_MS = 200;
const GIVE_UP_MS = 1_000;

/** How many fetches one client has in ten seconds, by default. */
const LIMIT_OF_ONE = 20;

// The others have addresses of 127.0.0.0/8, which are this machine's on Linux alone.
describe('others', needs('Linux'), () => {
  let service;
  beforeAll(async () => {
    service = await startService();
    await fillSmallInbox(service);
  });
  afterAll(() => service.kill());

  it('are all answered by a service at rest, above the limit of one client', async () => {
    // How many come in a time is the machine's affair.
    for (let [deliveries, fetches] = [0, 0]; Math.min(deliveries, fetches) <= LIMIT_OF_ONE; ) {
      const { deliver: delivered, fetch, failures, isStalled } = await measure(service, 5 * MEASURED_MS);
      expect([...failures]).toEqual([]);
      expect(isStalled).toBe(false);
      deliveries += delivered.length;
      fetches += fetch.length;
    }
  });

  it('only fetch from a store that may be full', async () => {
    const { deliver: deliveries, fetch } = await measure(service, MEASURED_MS, { delivers: false });
    expect(deliveries).toEqual([]);
    expect(fetch.length).toBeGreaterThan(0);
  });

  it('are told why a mail is refused', async () => {
    const refused = deliver(service, 'Subject: x\r\n\r\n', ['x@elsewhere.test']);
    await expect(refused).rejects.toThrow(RefusedError);
    await expect(refused).rejects.toMatchObject({ code: 550 });
  });

  it('give up on a service that stands still, and that ends the measurement', async () => {
    process.kill(service.pid, 'SIGSTOP');
    const { failures, isStalled } = await measure(service, Number.POSITIVE_INFINITY, { giveUpMs: GIVE_UP_MS });
    process.kill(service.pid, 'SIGCONT');
    expect(isStalled).toBe(true);
    expect(failures.get(GAVE_UP)).toBeGreaterThan(0);
  });

  it('fail when the service has ended, and that ends the measurement', async () => {
    process.kill(service.pid, 'SIGKILL');
    const { failures } = await measure(service, Number.POSITIVE_INFINITY, { giveUpMs: GIVE_UP_MS });
    expect(failures.size).toBeGreaterThan(0);
    expect(service.hasEnded).toBe(true);
  });
});
