// Measures a new process: time until ready and until its first email, and memory.
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMsOf, memoryMbOf } from '../cpu.js';
import { figure } from '../figures.js';
import { runProgram } from '../programs.js';
import { htmlMail } from '../sample-mails.js';
import { ownEnvironment, startService } from '../service.js';
import { onStream } from './delivery.js';

const [STARTS, SHORT_STARTS] = [15, 5];

const FIRST_MAILS = 20;

/** How long to let the service finish its startup work before measuring its memory. */
const IDLE_MS = 3_000;

export const benchmark = {
  name: 'start',
  title: 'Start',
  about:
    'From starting the process to its `ready` line, with a new store on disk, alternating with `node -e 0`: milliseconds, and processor ' +
    'time of all threads. Then, for the first and the second email of 14 KB to each of these processes, the time from opening SMTP ' +
    'to the email on a stream, and the processor time of the first 20. Finally, the resident memory of the idle process.',
  run,
};

async function run({ isShort, progress }) {
  const mail = await htmlMail();
  const [ready, readyCpu, bare, first, second, resident] = [[], [], [], [], [], []];
  const [whole, wholeCpu, eachCpu] = [[], [], []];
  const starts = isShort ? SHORT_STARTS : STARTS;
  // The first start is a warm-up that does not count, because it reads files from disk.
  for (let n = 0; n <= starts; n++) {
    progress(n === 0 ? 'warm-up' : `${n} of ${starts}`);
    const bareMs = await timed(() =>
      runProgram(process.execPath, ['-e', '0'], { debianPackage: 'nodejs', env: ownEnvironment() }),
    );
    let service;
    const readyMs = await timed(async () => {
      service = await startService();
    });
    try {
      const cpuMs = cpuMsOf(service.pid);
      const mails = [await onStream(service, mail)];
      const firstCpuMs = cpuMsOf(service.pid);
      for (let more = 1; more < FIRST_MAILS; more++) mails.push(await onStream(service, mail));
      const cpuMsOfEach = (cpuMsOf(service.pid) - cpuMs) / FIRST_MAILS;
      await delay(IDLE_MS);
      if (n === 0) continue;
      bare.push(bareMs);
      ready.push(readyMs);
      readyCpu.push(cpuMs);
      first.push(mails[0]);
      second.push(mails[1]);
      whole.push(readyMs + mails[0]);
      wholeCpu.push(firstCpuMs);
      eachCpu.push(cpuMsOfEach);
      resident.push(memoryMbOf(service.pid));
    } finally {
      await service.stop();
    }
  }
  const unit = { unit: 'ms', better: 'less' };
  return [
    figure({ what: 'ready', ...unit, ours: ready, against: 'node -e 0', theirs: bare }),
    figure({ what: 'ready: processor time', ...unit, ours: readyCpu }),
    figure({ what: 'the first email of a process', ...unit, ours: first, against: 'the second', theirs: second }),
    figure({ what: 'from the start to the first email', ...unit, ours: whole }),
    figure({ what: 'from the start to the first email: processor time', ...unit, ours: wholeCpu }),
    figure({ what: `processor time of each of the first ${FIRST_MAILS} emails`, ...unit, ours: eachCpu }),
    figure({ what: 'idle after that, resident', unit: 'MB', better: 'less', ours: resident }),
  ];
}

async function timed(act) {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}
