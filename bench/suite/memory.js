// What a service holds after mail that it has taken has expired, again and again.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryMbOf } from '../cpu.js';
import { figure } from '../figures.js';
import { mailFile, sendMails } from '../postfix.js';
import { htmlMail } from '../sample-mails.js';
import { startService, UNLIMITED } from '../service.js';

const ROUNDS = 10;
const SHORT_ROUNDS = 2;
const MAILS = 10_000;
const SHORT_MAILS = 1_000;

/** How long mail is kept, and how long until it is deleted and its memory is given back. */
const RETENTION_S = 10;
const DELETED_AFTER_MS = 75_000;

const STORES = ['lmdb', 'memory'];

const AIM_MB = 120;
const AIM_GROWTH = 1.05;

export const memory = {
  name: 'memory',
  title: 'Memory after mail',
  about:
    `Resident memory after ${MAILS.toLocaleString('en')} mails of 14 KB were taken, expired and were deleted, and after the last of ` +
    `${ROUNDS} such rounds, with mail on disk (lmdb) and in memory. Pages of the store's file, which Linux maps in while there is room ` +
    'and takes back at once, are a row of their own.',
  heldBack:
    "of the 107 MB of lmdb's process (smaps), 43 MB are pages of files, most of them Node's own program, 35 MB the C library's heap, and " +
    '29 MB the heap of V8 with the code that it compiled. A reading thread would take 20 MB more; it ends after an idle minute.',
  run: measureMemory,
};

async function measureMemory({ isShort, progress }) {
  const [rounds, mails] = isShort ? [SHORT_ROUNDS, SHORT_MAILS] : [ROUNDS, MAILS];
  const { file, remove } = mailFile(await htmlMail());
  const flags = [...UNLIMITED, '--retention', `${RETENTION_S}s`];
  const services = [];
  try {
    for (const store of STORES) services.push(await startService(flags, { store }));
    const found = services.map(() => []);
    for (let round = 1; round <= rounds; round++) {
      progress(`round ${round} of ${rounds}`);
      for (const service of services)
        await sendMails(service, { file, isPersistent: true, mails, name: `memory-${round}` });
      await delay(RETENTION_S * 1000 + DELETED_AFTER_MS);
      for (const [n, { pid }] of services.entries()) found[n].push(memoryOf(pid));
    }
    return { figures: STORES.flatMap((store, n) => figuresOf(store, found[n], mails)) };
  } finally {
    for (const service of services) await service.stop();
    remove();
  }
}

/** What a service with such a store held after each of its rounds. */
function figuresOf(store, found, mails) {
  const [first, last] = [found[0], found.at(-1)];
  const row = { unit: 'MB', better: 'less' };
  const rest = `${store}, after ${mails.toLocaleString('en')} mails`;
  const growth = { against: 'after the first', theirs: first.own, isOwn: true, aim: AIM_GROWTH };
  const ofRounds = `${store}, after ${found.length} such rounds`;
  if (store !== 'lmdb') {
    return [
      figure({ what: rest, ...row, ours: first.own, aim: AIM_MB }),
      figure({ what: ofRounds, ...row, ours: last.own, ...growth }),
    ];
  }
  return [
    figure({ what: `${rest}, without the store's file`, ...row, ours: first.own, aim: AIM_MB }),
    figure({ what: `${rest}: pages of the store's file`, ...row, ours: first.store }),
    figure({ what: `${ofRounds}, without the store's file`, ...row, ours: last.own, ...growth }),
  ];
}

/** Resident memory in MB: `store` is the mapped part of the store's file, `own` is everything else. */
function memoryOf(pid) {
  const maps = readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const ofStore = maps.filter((map) => /^\S+ \S+ \S+ \S+ \S+ +\S*\.mdb$/m.test(map));
  const store = ofStore.reduce((sum, map) => sum + Number(/^Rss:\s+(\d+)/m.exec(map)?.[1] ?? 0), 0) / 1024;
  return { store, own: memoryMbOf(pid).resident - store };
}
