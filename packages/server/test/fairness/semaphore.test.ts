import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../src/fairness/semaphore.js';

describe('a lane', () => {
  it('runs so many jobs at once, and the others in the order in which they came', async () => {
    const semaphore = new Semaphore(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const jobs = [0, 1, 2, 3, 4].map((number) =>
      semaphore.run(() => {
        begun.push(number);
        return new Promise<void>((end) => ends.push(end));
      }),
    );
    await settled();
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await settled();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    await settled();
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    for (const end of ends) end();
    await Promise.all(jobs);
  });

  it('gives back what a job gives, and goes on after one that fails', async () => {
    const semaphore = new Semaphore(1);
    const failed = semaphore.run(() => Promise.reject(new Error('no')));
    const next = semaphore.run(async () => 'yes');
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
  });
});

/** Resolves when everything has happened that needs no event from outside. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
