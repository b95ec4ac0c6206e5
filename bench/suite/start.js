// What a fresh process costs: until it is ready, until a first mail is in hand, by the mail after that, and in memory.
import { coldRun, coldStart, STRETCHES } from '../cold.js';
import { figure } from '../figures.js';
import { runProgram, startProgram } from '../programs.js';
import { CODE, htmlMail } from '../sample-mails.js';
import { ownEnvironment, startService, UNLIMITED } from '../service.js';
import { onStream } from './delivery.js';

const STARTS = 15;
const SHORT_STARTS = 5;
const AIM_TIMES = 2.5;
/** Programs that never pause, beside which a busy machine of CI runs a suite. */
const LOAD = 20;
const SPIN = 'for (;;);';
const LOADED_AIM_MS = 1_000;

const AIMS = { inHandMs: 170, inHandCpuMs: 180, residentMb: 75, stretchesMs: [2.5, 1.6, 1.1] };

export const start = {
  name: 'start',
  title: 'Start',
  about:
    'Milliseconds from starting the process to its `ready` line, with a new store on disk, in turns with `node -e 0`. Then, in each ' +
    'of these processes, the time from opening SMTP to the email on a stream, for its first mail and for its second. ' +
    'Then, in processes of their own: from the start of the process to the code of a first mail of 14 KB fetched over HTTP, in ' +
    'milliseconds and in processor time of all threads; memory when idle after that (its own share counts what it shares with ' +
    'other processes in part, PSS); and the processor time of each mail that comes then, one after the other over new connections. ' +
    `At last the same start beside ${LOAD} programs that never pause, in turns with \`node -e 0\` there.`,
  heldBack:
    'of some 140 ms of processor until a first mail is in hand (two busy cores), Node takes 23 before ours begins (`node -e 0`), V8’s ' +
    'threads 12, and the main thread by a profile: V8 reading its code 17, Fastify’s routes and hooks 14, LMDB 13, ports and promises ' +
    '12, Node’s beginning of a script 12, collecting garbage 11, modules of Node 9, evaluating ours 12, the mail with SMTP and its fetch ' +
    '7. V8’s flags do not help: any makes Node compile its own modules anew (20 ms); without the optimizing compiler or incremental ' +
    'marking, set once these are loaded, a start costs as much. Of the 2.5 ms of a mail among the next 400, the kernel takes 25 %, V8’s ' +
    'built-ins 24 %, its optimizing compiler 22 %, its runtime 8 %, compiled JavaScript 10 % (perf, 2026-11-25). Without that compiler ' +
    'the first 20 cost 3.1 ms, the next 400 as much. At a load of 20, a thread gets an eleventh of the two cores: a start ' +
    'takes 14 times as long there, and `node -e 0` 13 times.',
  run: measureStarts,
};

async function measureStarts({ isShort, progress }) {
  const mail = await htmlMail();
  const [ready, bare, first, second] = [[], [], [], []];
  const starts = isShort ? SHORT_STARTS : STARTS;
  // The first start is not counted: files are read from the disk.
  for (let n = 0; n <= starts; n++) {
    progress(n === 0 ? 'warm-up' : `${n} of ${starts}`);
    const asOurs = { debianPackage: 'nodejs', env: ownEnvironment() };
    const bareMs = await timed(() => runProgram(process.execPath, ['-e', '0'], asOurs));
    const startedAt = performance.now();
    const service = await startService();
    const readyMs = performance.now() - startedAt;
    try {
      const mails = [await onStream(service, mail), await onStream(service, mail)];
      if (n === 0) continue;
      bare.push(bareMs);
      ready.push(readyMs);
      first.push(mails[0]);
      second.push(mails[1]);
    } finally {
      await service.stop();
    }
  }
  const unit = { unit: 'ms', better: 'less' };
  return {
    figures: [
      figure({ what: 'ready', ...unit, ours: ready, against: 'node -e 0', theirs: bare, aim: AIM_TIMES }),
      figure({ what: 'the first mail of a process', ...unit, ours: first, against: 'the second', theirs: second }),
      ...(await measureCold({ mail, starts, progress })),
      await measureLoaded({ mail, starts: SHORT_STARTS, progress }),
    ],
  };
}

async function measureCold({ mail, starts, progress }) {
  const runs = [];
  for (let n = 1; n <= starts; n++) {
    progress(`cold, ${n} of ${starts}`);
    runs.push(await coldRun(startCold, { mail, code: CODE }));
  }
  return coldFigures(runs, AIMS);
}

/** A first mail where each of our threads has the processor for a small part of the time. */
async function measureLoaded({ mail, starts, progress }) {
  const others = [];
  const asOurs = { debianPackage: 'nodejs', env: ownEnvironment() };
  const [ours, bare] = [[], []];
  try {
    for (let n = 0; n < LOAD; n++) others.push(await startProgram(process.execPath, ['-e', SPIN], asOurs));
    for (let n = 1; n <= starts; n++) {
      progress(`at a load of ${LOAD}, ${n} of ${starts}`);
      bare.push(await timed(() => runProgram(process.execPath, ['-e', '0'], asOurs)));
      ours.push((await coldStart(startCold, { mail, code: CODE })).inHand);
    }
  } finally {
    for (const other of others) other.kill('SIGKILL');
  }
  const what = `from the start to a first mail in hand, at a load of ${LOAD}`;
  const beside = { against: 'node -e 0', theirs: bare };
  return figure({ what, unit: 'ms', better: 'less', ours, ...beside, aim: LOADED_AIM_MS, judges: 'value' });
}

/** The service as `coldRun` and `coldStart` want it. */
async function startCold() {
  const service = await startService(UNLIMITED);
  const { host, smtpPort, httpPort, pid } = service;
  return { host, smtpPort, httpPort, pid, path: '/api/inbox/{inbox}', stop: () => service.stop() };
}

/** The rows of what `coldRun` found, ours or, without aims, those of another server. */
export function coldFigures(runs, { inHandMs, inHandCpuMs, residentMb, stretchesMs = [] } = {}, of = '') {
  const row = (what, unit, ours, aim = null) => figure({ what: `${what}${of}`, unit, better: 'less', ours, aim });
  let mails = 0;
  return [
    row(
      'from the start to a first mail in hand',
      'ms',
      runs.map((run) => run.inHand),
      inHandMs,
    ),
    row(
      'the same: processor time',
      'ms',
      runs.map((run) => run.inHandCpu),
      inHandCpuMs,
    ),
    row(
      'idle after that, resident',
      'MB',
      runs.map(({ idle }) => idle.resident),
      residentMb,
    ),
    row(
      'idle after that, its own share',
      'MB',
      runs.map(({ idle }) => idle.share),
    ),
    ...STRETCHES.map((length, n) => {
      const which = mails === 0 ? `the first ${length}` : `the next ${length}`;
      mails += length;
      return row(
        `processor time of a mail, ${which}`,
        'ms',
        runs.map(({ stretches }) => stretches[n]),
        stretchesMs[n],
      );
    }),
  ];
}

async function timed(act) {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}
