import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Finding, findings } from './finding.js';

const clock = findings('clock');

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
    return clock.problem(
      `The clock of this machine says ${shown}, which is in the past. Set it, and keep it synchronized (NTP).`,
    );
  }
  const written = storeFolder === null ? null : await lastWritten(storeFolder);
  if (written !== null && written > now + TOLERANCE_MS) {
    return clock.problem(
      `The clock says ${shown}, but the store was last written at ${new Date(written).toISOString()}. It has since been set back. ` +
        'Correct it and keep it synchronized (NTP), or mail is kept for too long.',
    );
  }
  return clock.ok(`The clock says ${shown}.`);
}

async function lastWritten(folder: string): Promise<number | null> {
  const file = await stat(path.join(folder, 'data.mdb')).catch(() => null);
  return file?.mtimeMs ?? null;
}

const node = findings('node');

/** Looks whether this version of Node is one that Mayfly runs on, such as `v22.1.0` for a needed `>=20.19`. */
export function checkNode(version: string, needed: string): Finding {
  const [major = 0, minor = 0] = numbers(version);
  const [needMajor = 0, needMinor = 0] = numbers(needed);
  const isEnough = major > needMajor || (major === needMajor && minor >= needMinor);
  return isEnough
    ? node.ok(`Node ${version}.`)
    : node.problem(`Node ${version} is too old. Install Node ${needMajor}.${needMinor} or newer.`);
}

function numbers(text: string): number[] {
  return (text.match(/\d{1,5}/g) ?? []).map(Number);
}
