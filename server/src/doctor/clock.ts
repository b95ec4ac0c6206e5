import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Finding, findings } from './finding.js';

const say = findings('clock');

/** No version of Mayfly was around before: a machine that says so has lost its time. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** File systems over a network may have a clock of their own. */
const TOLERANCE_MS = 60_000;

/**
 * Looks whether the clock can be right, without asking anybody: whether it is before Mayfly was, and whether the store was last
 * written in the future, for then it has been set back. Mail expires by this clock, and certificates by everybody's.
 */
export async function checkClock(storeFolder: string | null, now = Date.now()): Promise<Finding> {
  const shown = new Date(now).toISOString();
  if (now < EARLIEST) {
    return say.problem(`The clock of this machine says ${shown}, which is long ago. Set it, and let it be kept (NTP).`);
  }
  const written = storeFolder === null ? null : await lastWritten(storeFolder);
  if (written !== null && written > now + TOLERANCE_MS) {
    return say.problem(
      `The clock says ${shown}, but the store was last written at ${new Date(written).toISOString()}: it has been set back since. ` +
        'Set it right, and let it be kept (NTP), or mail is kept longer than its time.',
    );
  }
  return say.ok(`The clock says ${shown}.`);
}

async function lastWritten(folder: string): Promise<number | null> {
  const file = await stat(path.join(folder, 'data.mdb')).catch(() => null);
  return file?.mtimeMs ?? null;
}
