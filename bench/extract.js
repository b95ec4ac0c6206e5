// Reading plus extraction beside postal-mime's bare parse of the same bytes, in turns in one run, so that a noisy
// machine slows both. Prints messages a second (medians) and the ratio of the two. Run by `npm run bench:extract`.
import PostalMime from 'postal-mime';
import { helpAsked } from './help.js';
import { readMail } from './internals.js';
import { attachmentMail, CODE, htmlMail, textMail } from './sample-mails.js';
import { quantile } from './statistics.js';

helpAsked(`Usage: npm run bench:extract

Reads mails with Mayfly, which extracts code and link too, and with postal-mime, which parses only, in turns for half a minute.
Prints the messages a second of each, and how many times as many Mayfly reads. There are no options.`);

/** How long one measurement of one parser lasts. */
const SLICE_MS = 150;

/** Measurements of each parser that do not count: V8 takes about a second to compile hot code. */
const WARM_UP_SLICES = 8;

/** How many measurements of each parser there are after that. */
const SLICES = 9;

const messages = {
  'text, 2 KB': await textMail(),
  'HTML, 14 KB': await htmlMail(),
  'attachment, 1 MB': await attachmentMail(),
};

console.log('message            bytes   Mayfly/s   postal-mime/s   Mayfly / postal-mime');
for (const [name, raw] of Object.entries(messages)) {
  const { otp, magicLink } = readMail(raw);
  if (otp !== CODE || !magicLink?.includes('/verify?')) throw new Error(`${name}: read wrongly`);
  const ours = [];
  const theirs = [];
  for (let slice = 0; slice < WARM_UP_SLICES + SLICES; slice++) {
    const a = await perSecond(() => readMail(raw));
    const b = await perSecond(() => PostalMime.parse(raw));
    if (slice < WARM_UP_SLICES) continue;
    ours.push(a);
    theirs.push(b);
  }
  const ratio = median(ours.map((rate, slice) => rate / theirs[slice]));
  const columns = [String(raw.length).padStart(9), rounded(ours).padStart(11), rounded(theirs).padStart(16)];
  console.log(`${name.padEnd(16)}${columns.join('')}   ${ratio.toFixed(2)}`);
}

async function perSecond(job) {
  const startedAt = performance.now();
  let runs = 0;
  while (performance.now() - startedAt < SLICE_MS) {
    await job();
    runs++;
  }
  return (runs * 1000) / (performance.now() - startedAt);
}

function median(values) {
  return quantile(values, 0.5);
}

function rounded(rates) {
  return Math.round(median(rates)).toLocaleString('en');
}
