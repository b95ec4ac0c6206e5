// Whether a full store costs more than an empty one.
import { figure } from '../figures.js';
import { fetchRate } from '../keep-alive.js';
import { mailFile, sendMails } from '../postfix.js';
import { endProgram, nextMessage, startScript } from '../programs.js';
import { textMail } from '../sample-mails.js';
import { newFolder, startService, UNLIMITED } from '../service.js';

const SIZES = [0, 10_000, 100_000, 1_000_000];

/** What the others are compared with. */
const REFERENCE = 10_000;
const AIM = 0.8;

const ROUNDS = 5;
const SHORT_ROUNDS = 2;
const MAILS = 2_000;
const SHORT_MAILS = 500;
const FETCH_MS = 1_000;
const CONNECTIONS = 8;

/** How long filling a store may take. */
const FILL_MS = 1_200_000;

/** Mail of this benchmark is kept for longer than it lasts. */
const RETENTION = '6h';

export const stored = {
  name: 'stored',
  title: 'A store with much mail in it',
  about:
    'Services with different numbers of 2 KB mails stored (LMDB), each in an inbox of its own, measured in turns: mails a second by ' +
    '`smtp-source` over persistent connections, and fetches a second of random inboxes. The baseline is the service with 10,000.',
  heldBack:
    'random fetches among 1,000,000 inboxes find neither the pages of the file nor those of the tree in the processor caches.',
  run: measureStored,
};

async function measureStored({ isShort, progress }) {
  const sizes = SIZES.slice(0, isShort ? -1 : undefined);
  const services = new Map();
  const { file, remove } = mailFile(await textMail());
  try {
    for (const size of sizes) {
      progress(`filling with ${size.toLocaleString('en')}`);
      const folder = newFolder();
      await fill(folder, size);
      services.set(size, await startService([...UNLIMITED, '--retention', RETENTION], { folder }));
    }
    const rates = new Map(sizes.map((size) => [size, { ingest: [], fetch: [] }]));
    const rounds = isShort ? SHORT_ROUNDS : ROUNDS;
    for (let round = 0; round <= rounds; round++) {
      progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`);
      for (const [size, service] of services) {
        const mails = isShort ? SHORT_MAILS : MAILS;
        const { ingest, fetch } = await measureOnce(service, { size, file, mails, name: `round-${round}` });
        if (round === 0) continue;
        rates.get(size).ingest.push(ingest);
        rates.get(size).fetch.push(fetch);
      }
    }
    return { figures: figuresOf(rates) };
  } finally {
    remove();
    for (const service of services.values()) await service.stop();
  }
}

async function measureOnce(service, { size, file, mails, name }) {
  const ingest = await sendMails(service, { file, mails, isPersistent: true, name });
  // An empty store has only the mail of this run.
  const anyInbox = size === 0 ? () => `${1 + chosen(mails)}${name}` : () => `stored-${chosen(size)}`;
  const how = { connections: CONNECTIONS, durationMs: FETCH_MS };
  return { ingest, fetch: await fetchRate(service, () => `/api/inbox/${anyInbox()}`, how) };
}

function figuresOf(rates) {
  const figures = [];
  for (const [kind, unit] of [
    ['ingest', 'mails/s'],
    ['fetch', 'fetches/s'],
  ]) {
    for (const [size, of] of rates) {
      const isReference = size === REFERENCE;
      const theirs = isReference ? null : rates.get(REFERENCE)[kind];
      const against = isReference ? null : `${REFERENCE.toLocaleString('en')} stored`;
      const aim = size === SIZES.at(-1) ? AIM : null;
      const what = `${kind}, ${size.toLocaleString('en')} stored`;
      figures.push(figure({ what, unit, better: 'more', ours: of[kind], against, theirs, aim }));
    }
  }
  return figures;
}

function chosen(count) {
  return Math.floor(Math.random() * count);
}

async function fill(folder, mails) {
  if (mails === 0) return;
  const { child } = await startScript('./filler.js', { folder, mails, retentionMs: 6 * 3_600_000 });
  try {
    const { failure } = await nextMessage(child, FILL_MS);
    if (failure !== undefined) throw new Error(`The store could not be filled: ${failure}`);
  } finally {
    await endProgram(child);
  }
}
