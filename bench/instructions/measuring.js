// How many instructions a mail costs: what a process that reads some more of it takes beyond one that does not.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { htmlMail, textMail } from '../sample-mails.js';

const COUNTED = fileURLToPath(new URL('./counted.js', import.meta.url));

/**
 * What makes two runs of V8 take the same instructions (within 0.5 %): compiling and collecting garbage on the one
 * thread, at moments that follow from the program and not from the clock, in a heap of one size (V8 grows it by how
 * much is allocated in a second, so a busy machine counted 8 % more), and tables hashed the same way. With its usual
 * interrupt budget V8 compiles the last functions only after some 1,600 mails.
 */
const STEADY_FLAGS = [
  ...['--predictable', '--predictable-gc-schedule', '--single-threaded', '--hash-seed=1', '--random-seed=1'],
  ...['--min-semi-space-size=64', '--max-semi-space-size=64'],
  '--interrupt-budget=2000',
];

/**
 * How often each mail is read before counting, so that V8 has compiled the hot code: after 800, compiling still makes
 * 4 % of a figure.
 */
const WARM_UP = 1_600;

/** The mails, and how often each is read to be counted. */
const MAILS = [
  { name: '14 KB HTML', make: htmlMail, times: 400 },
  { name: '2 KB text', make: textMail, times: 1_200 },
];

/** What reads the mails: all that we do at arrival, and another parser as a measure. */
export const ARRIVAL = 'arrival';
export const POSTAL_MIME = 'postal-mime';

/** How many processes count at once. */
const AT_ONCE = Math.min(2, availableParallelism());

/** Resolves to the instructions that a mail costs the subject, by the name of the mail. */
export async function instructionsOf(subject, counter) {
  const mails = Object.fromEntries(
    await Promise.all(MAILS.map(async ({ name, make }) => [name, (await make()).toString('base64')])),
  );
  const count = ({ name, times }) => {
    const task = { subject, warmUp: WARM_UP, mails, mail: name, times };
    return () => counter.count([process.execPath, ...STEADY_FLAGS, COUNTED, JSON.stringify(task)]);
  };
  const [base, ...counts] = await inTurn([count({ ...MAILS[0], times: 0 }), ...MAILS.map(count)]);
  return Object.fromEntries(MAILS.map(({ name, times }, mail) => [name, Math.round((counts[mail] - base) / times)]));
}

/** Runs the jobs, a few at once, and resolves to their results in the order of the jobs. */
async function inTurn(jobs) {
  const results = [];
  let next = 0;
  const lane = async () => {
    while (next < jobs.length) {
      const job = next;
      next += 1;
      results[job] = await jobs[job]();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
