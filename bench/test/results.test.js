import { describe, expect, it } from 'vitest';
import { besideRow, figure } from '../figures.js';
import { besideTableOf, documentOf, tableOf } from '../results.js';

const behind = figure({
  what: 'HTML, lmdb',
  unit: 'mails/s',
  better: 'more',
  ours: 1_500,
  against: 'smtp-sink',
  theirs: 5_000,
  aim: 0.4,
});
const best = figure({ what: 'alone', unit: 'ms', better: 'less', ours: 2.34, aim: 3 });
const detail = figure({ what: 'a detail', unit: 'ms', better: 'less', ours: 1, aim: 0.5, isDetail: true });
const ownTime = figure({
  what: 'time',
  unit: 'ms',
  better: 'less',
  ours: 0.9,
  against: 'smtp-sink',
  theirs: 0.2,
  aim: 1,
  judges: 'value',
});

const benchmarks = [
  {
    name: 'one',
    title: 'The one',
    about: 'What it is.',
    heldBack: 'it is slow.',
    behindOthers: 'Their day is longer.',
  },
  { name: 'other', title: 'The other', about: 'What that is.', heldBack: 'it is slower.' },
  { name: 'never', title: 'Never measured', about: '' },
];

function result(day, more) {
  return { measuredAt: `${day}T09:30:00.000Z`, isShort: false, machine: [['Node', `of ${day}`]], figures: [], ...more };
}

const beside = [
  besideRow({
    subject: 'rate',
    unit: 'mails/s',
    better: 'more',
    values: { Mayfly: 900, A: [100, 200, 300], B: 1_000 },
  }),
  besideRow({ subject: 'wait', unit: 'ms', better: 'less', values: { Mayfly: 2, A: 40, B: Number.NaN } }),
];

describe('the table on the terminal', () => {
  it('has the figure, the baseline, the ratio and the aim', () => {
    const [heading, first, second] = tableOf([behind, best]).split('\n');
    expect(heading).toMatch(/Mayfly +baseline +ratio +aim/);
    expect(first).toMatch(/^HTML, lmdb +1,500 mails\/s +5,000 mails\/s \(smtp-sink\) +0\.30 ↑ +at least 0\.4: missed$/);
    expect(second).toMatch(/^alone +2\.34 ms +at most 3 ms: met$/);
  });

  it('tells an aim of the value itself by its unit', () => {
    expect(tableOf([ownTime])).toMatch(/4\.50 ↓ +at most 1 ms: met$/);
  });

  it('has a line for each figure beside other servers', () => {
    expect(besideTableOf(beside)).toContain('rate  900 mails/s  200 mails/s  **1,000 mails/s**');
  });
});

describe('the document', () => {
  const results = {
    other: result('2026-02-02', { figures: [best, detail], isShort: true, text: 'a detail, too' }),
    one: result('2026-01-31', { figures: [behind], beside, absent: ['C is not measured: it is not there'] }),
  };
  const text = documentOf(benchmarks, results);

  it('has what was measured, in the order of the benchmarks, with the day of each', () => {
    expect(text).toMatch(/## The one[^#]*2026-01-31\.[^#]*## The other[^#]*2026-02-02, a short run\./);
    expect(text).not.toContain('Never measured');
  });

  it('leads with the table beside other servers, the best of each row in bold', () => {
    expect(text.match(/^## .*/m)?.[0]).toBe('## Beside other servers');
    expect(text).toContain('|  | Mayfly | A | B |\n');
    expect(text).toContain('| rate | 900 mails/s | 200 mails/s | **1,000 mails/s** |\n');
    expect(text).toContain('| wait | **2.00 ms** | 40.0 ms |  |\n');
  });

  it('says who is ahead, what holds us back there, and who was not measured', () => {
    expect(text).toContain('- Their day is longer.\n  - rate: B\n');
    expect(text).not.toContain('  - wait');
    expect(text).toContain('C is not measured: it is not there.');
  });

  it('says so when none is ahead', () => {
    const alone = [besideRow({ subject: 'rate', unit: 'mails/s', better: 'more', values: { Mayfly: 900, A: 100 } })];
    expect(documentOf(benchmarks, { one: result('2026-01-31', { beside: alone }) })).toContain(
      'None of them is ahead.',
    );
  });

  it('says what holds us back where an aim is missed', () => {
    expect(text).toContain('Bottleneck: it is slow.');
    expect(text).not.toContain('it is slower');
  });

  it('leaves details to bench/results.json', () => {
    expect(text).not.toContain('a detail');
    expect(documentOf(benchmarks, { one: result('2026-01-31', { text: 'a table of its own' }) })).toContain(
      '```\na table of its own\n```',
    );
  });

  it('names the machine of the newest measurement', () => {
    expect(text).toContain('| Node | of 2026-02-02 |');
    expect(text).not.toContain('of 2026-01-31 |');
  });
});
