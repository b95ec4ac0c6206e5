// How long the service takes to be ready, and what the first mail of a process costs.
import { figure } from '../figures.js';
import { runProgram } from '../programs.js';
import { htmlMail } from '../sample-mails.js';
import { startService } from '../service.js';
import { onStream } from './delivery.js';

const STARTS = 15;
const SHORT_STARTS = 5;
const AIM_TIMES = 2.5;

export const start = {
  name: 'start',
  title: 'Start',
  about:
    'Milliseconds from starting the process to its `ready` line, with a new store on disk, in turns with `node -e 0`. Then, in each ' +
    'of these processes, the time from opening SMTP to the email on a stream, for its first mail and for its second.',
  run: measureStarts,
};

async function measureStarts({ isShort, progress }) {
  const mail = await htmlMail();
  const [ready, bare, first, second] = [[], [], [], []];
  const starts = isShort ? SHORT_STARTS : STARTS;
  // The first start is not counted: files are read from the disk.
  for (let n = 0; n <= starts; n++) {
    progress(n === 0 ? 'warm-up' : `${n} of ${starts}`);
    const bareMs = await timed(() => runProgram(process.execPath, ['-e', '0'], { debianPackage: 'nodejs' }));
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
    ],
  };
}

async function timed(act) {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}
