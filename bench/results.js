// Results as people read them: on the terminal, and in docs/performance.md.
import { aheadIn } from './figures.js';

const HEADINGS = ['', 'Mayfly', 'baseline', 'ratio', 'aim'];

/** The table of a benchmark's figures, for a terminal. */
export function tableOf(figures) {
  const rows = [HEADINGS, ...figures.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The table of what a benchmark measured beside other servers, for a terminal. */
export function besideTableOf(beside) {
  const names = namesIn(beside);
  const rows = beside.map((row) => [row.subject, ...names.map((name) => besideCell(row, name))].join('  '));
  return [`beside: ${names.join(', ')}`, ...rows].join('\n');
}

/**
 * The whole document. `benchmarks` are all benchmarks, `results` the last result of each, by name:
 * `{ measuredAt, isShort, seconds, machine, figures, beside, absent, text }`.
 */
export function documentOf(benchmarks, results) {
  const measured = benchmarks.filter(({ name }) => results[name] !== undefined);
  const newest = Object.values(results)
    .toSorted((a, b) => a.measuredAt.localeCompare(b.measuredAt))
    .at(-1);
  const sections = measured.map((benchmark) => sectionOf(benchmark, results[benchmark.name]));
  return `${[INTRODUCTION, ...besideOthers(measured, results), ...sections, machineOf(newest)].join('\n\n')}\n`;
}

const INTRODUCTION = `# Performance

<!-- Written by \`npm run bench -- --write\`. Do not change it by hand. -->

This page shows what Mayfly costs and how fast it is, measured by \`npm run bench\` (\`-- --list\` names the parts, \`-- --only NAME\` runs one). The load generator and all servers share one machine. Trust the ratios, which compare turns within one run, rather than the rates. Figures are medians of several rounds, and so are ratios, which are therefore not always quotients of two figures. ↑ means that more is better, ↓ that less is. [bench/results.json](./results.json) has the figures that are left out here.`;

/** The first table: servers that readers know at the same work, and what holds us back where they are ahead. */
function besideOthers(measured, results) {
  const found = measured.filter(({ name }) => results[name].beside?.length > 0);
  const rows = found.flatMap(({ name }) => results[name].beside);
  const absent = new Set(measured.flatMap(({ name }) => results[name].absent ?? []));
  const missing = [...absent].map((sentence) => `${sentence}.`).join(' ');
  if (rows.length === 0) return missing === '' ? [] : [`## Beside other servers\n\n${missing}`];
  const names = namesIn(rows);
  const cells = rows.map((row) => [row.subject, ...names.map((name) => besideCell(row, name))]);
  const table = markdownTable([['', ...names], ...cells]);
  const behind = found.flatMap(({ name, behindOthers }) => aheadOf(results[name].beside, behindOthers));
  const ahead = behind.length === 0 ? 'None of them is ahead.' : `Where one of them is ahead:\n\n${behind.join('\n')}`;
  return ['## Beside other servers', `${BESIDE} ${missing}`.trim(), table, ahead];
}

const BESIDE =
  'The same work in turns within one run: 14 KB HTML mails, each in an inbox of its own, on servers that had no mail before. Mayfly ' +
  'has parsed a mail and synced it to the disk before its 250; Mailpit stores it in SQLite, Inbucket and MailHog keep it in memory, and ' +
  'Inbucket parses it only when it is asked for. The best figure is bold.';

function aheadOf(beside, behindOthers) {
  const lines = beside.flatMap((row) => {
    const ahead = aheadIn(row);
    return ahead.length === 0 ? [] : [`  - ${row.subject}: ${ahead.join(', ')}`];
  });
  return lines.length === 0 ? [] : [`- ${behindOthers ?? 'Not explained so far.'}`, ...lines];
}

/** Ours first, then the others as they were measured. */
function namesIn(rows) {
  return [...new Set(['Mayfly', ...rows.flatMap(({ values }) => Object.keys(values))])];
}

function besideCell({ values, unit, better }, name) {
  if (values[name] === undefined) return '';
  const all = Object.values(values);
  const isBest = values[name] === (better === 'more' ? Math.max(...all) : Math.min(...all));
  const text = `${rounded(values[name])} ${unit}`;
  return isBest ? `**${text}**` : text;
}

const MACHINE = '## The machine';

function machineOf({ machine, measuredAt }) {
  const rows = machine.map(([name, value]) => `| ${name} | ${value} |`);
  return [MACHINE, '', '| | |', '| --- | --- |', ...rows, `| Last measured | ${measuredAt.slice(0, 10)} |`].join('\n');
}

function sectionOf({ name, title, about, heldBack }, { figures, text, isShort, measuredAt }) {
  const when = `\`npm run bench -- --only ${name}\`, ${measuredAt.slice(0, 10)}${isShort ? ', a short run' : ''}.`;
  const shown = figures.filter(({ isDetail }) => !isDetail);
  const table = shown.length === 0 ? [] : [markdownTable([HEADINGS, ...shown.map(cellsOf)])];
  // Without figures, the text is the result; beside figures, it is a detail.
  const block = text === undefined || shown.length > 0 ? [] : [`\`\`\`\n${text}\n\`\`\``];
  const isMissed = shown.some(({ isHeld }) => isHeld === false);
  const why = isMissed && heldBack !== undefined ? [`Bottleneck: ${heldBack}`] : [];
  return [`## ${title}`, `${about} ${when}`, ...table, ...block, ...why].join('\n\n');
}

function markdownTable([headings, ...rows]) {
  const lines = [headings, headings.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf(figure) {
  const { what, unit, better, ours, theirs, against, ratio } = figure;
  const beside = theirs === null ? '' : `${rounded(theirs)} ${unit} (${against})`;
  return [
    what,
    `${rounded(ours)} ${unit}`,
    beside,
    ratio === null ? '' : `${ratio.toFixed(2)} ${better === 'more' ? '↑' : '↓'}`,
    aimOf(figure),
  ];
}

function aimOf({ aim, isHeld, better, judges, unit }) {
  if (aim === null) return '';
  const bound = `${better === 'more' ? 'at least' : 'at most'} ${aim}${judges === 'value' ? ` ${unit}` : ''}`;
  return `${bound}: ${isHeld ? 'met' : 'missed'}`;
}

function rounded(value) {
  if (!Number.isFinite(value)) return 'nothing';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}
