// The table of a run.
import { countsOf } from './judge.js';
import { summaryOf } from './statistics.js';

const COLUMNS = [
  { title: 'attack', width: 26, of: ({ name }) => name },
  { title: 'attacker got', width: 30, of: ({ tally }) => countsOf(Object.entries(tally)) },
  { title: 'CPU each', width: 9, of: ({ cpuMsEach }) => number(cpuMsEach), right: true },
  { title: 'MB', width: 5, of: ({ memoryMb }) => number(memoryMb), right: true },
  ...columnsOf('deliver'),
  ...columnsOf('fetch'),
  { title: 'work', width: 5, of: ({ work }) => number(Math.max(...work)), right: true },
  { title: 'failed', width: 7, of: ({ failures }) => sum(failures), right: true },
];

/** The heading, and the units. */
export function heading() {
  return (
    "Others' times in milliseconds: p50, p95 and longest, and p95 as a multiple of idle's. CPU each: milliseconds of the\n" +
    "service's processor time for each of the attacker's requests that was not refused. MB: the most memory that it had.\n" +
    'Work: the most milliseconds of processor time that its event loop used while one of the others waited.\n\n' +
    `${line(({ title }) => title)}`
  );
}

/** One line of the table: how other clients fared under an attack, or idle. `idle` is the result without one. */
export function row(seen, idle) {
  return line(({ of }) => of(seen, idle));
}

function columnsOf(kind) {
  const figure = (key) => (seen) => (seen[kind].length === 0 ? '-' : number(summaryOf(seen[kind])[key]));
  const times = (seen, idle) => number(summaryOf(seen[kind]).p95 / summaryOf(idle[kind]).p95);
  return [
    { title: `${kind} p50`, width: kind.length + 5, of: figure('p50'), right: true },
    { title: 'p95', width: 6, of: figure('p95'), right: true },
    { title: 'max', width: 6, of: figure('max'), right: true },
    { title: '× idle', width: 7, of: times, right: true },
  ];
}

function line(cell) {
  return COLUMNS.map((column) => {
    const text = String(cell(column));
    return column.right ? text.padStart(column.width) : text.padEnd(column.width);
  }).join(' ');
}

function number(value) {
  if (!Number.isFinite(value)) return '-';
  return value < 10 ? Math.max(0, value).toFixed(1) : String(Math.round(value));
}

function sum(counts) {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
