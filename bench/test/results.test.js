import { describe, expect, it } from 'vitest';
import { figure } from '../figures.js';
import { documentOf, tableOf } from '../results.js';

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

const benchmarks = [
  { name: 'one', title: 'The one', about: 'What it is.' },
  { name: 'other', title: 'The other', about: 'What that is.' },
  { name: 'never', title: 'Never measured', about: '' },
];

function result(day, more) {
  return { measuredAt: `${day}T09:30:00.000Z`, isShort: false, machine: [['Node', `of ${day}`]], figures: [], ...more };
}

describe('the table on the terminal', () => {
  it('has the figure, the baseline, the ratio and the aim', () => {
    const [heading, first, second] = tableOf([behind, best]).split('\n');
    expect(heading).toMatch(/Mayfly +baseline +ratio +aim/);
    expect(first).toMatch(/^HTML, lmdb +1,500 mails\/s +5,000 mails\/s \(smtp-sink\) +0\.30 ↑ +at least 0\.4: missed$/);
    expect(second).toMatch(/^alone +2\.34 ms +at most 3 ms: held$/);
  });
});

describe('the document', () => {
  const results = {
    other: result('2026-02-02', { figures: [best], isShort: true }),
    one: result('2026-01-31', { figures: [behind], text: 'a table of its own' }),
  };
  const text = documentOf(benchmarks, results);

  it('has what was measured, in the order of the benchmarks, with the day of each', () => {
    expect(text).toMatch(/## The one[^#]*2026-01-31\.[^#]*## The other[^#]*2026-02-02, a short run\./);
    expect(text).not.toContain('Never measured');
    expect(text).toContain('```\na table of its own\n```');
  });

  it('names the machine of the newest measurement', () => {
    expect(text).toContain('| Node | of 2026-02-02 |');
    expect(text).not.toContain('of 2026-01-31 |');
  });

  it('says where somebody else is better and which aim is missed', () => {
    const [, last] = text.split('## Where Mayfly is not the best');
    expect(last).toContain('- The one\n  - HTML, lmdb: 0.30 times smtp-sink (aim: at least 0.4: missed)\n');
    expect(last).not.toContain('The other');
  });

  it('says so when there is no such place', () => {
    expect(documentOf(benchmarks, { other: result('2026-02-02', { figures: [best] }) })).toContain('Nowhere in what');
  });
});
