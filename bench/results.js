// Results as people read them: on the terminal, and in docs/performance.md.
import { isBehind } from './figures.js';

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

/**
 * The whole document. `benchmarks` are those that there are, `results` what was measured last of each, by name:
 * `{ measuredAt, isShort, machine, figures, text }`.
 */
export function documentOf(benchmarks, results) {
  const measured = benchmarks.filter(({ name }) => results[name] !== undefined);
  const newest = Object.values(results)
    .toSorted((a, b) => a.measuredAt.localeCompare(b.measuredAt))
    .at(-1);
  const sections = measured.map((benchmark) => sectionOf(benchmark, results[benchmark.name]));
  return `${[INTRODUCTION, machineOf(newest), ...sections, notBest(measured, results)].join('\n\n')}\n`;
}

const INTRODUCTION = `# Performance

<!-- Written by \`npm run bench -- --write\`. Do not change it by hand. -->

This page shows what Mayfly costs and how fast it is, measured by \`npm run bench\` (\`-- --list\` names the parts, \`-- --only NAME\` runs one). The load generator, the service and the baseline share one machine. Trust the ratios, which compare turns within one run, rather than the rates. Each figure is the median of several rounds. So is each ratio, which is therefore not always the quotient of the two figures. ↑ means that more is better, ↓ that less is.

We set the aims before the work began, for a machine with two cores. Most baselines do only a part of Mayfly's work or none of it (\`smtp-sink\` reads and discards, a bare Fastify answers the same buffer each time): they are yardsticks, not rivals. Each benchmark with a missed aim explains the bottleneck.`;

function machineOf({ machine, measuredAt }) {
  const rows = machine.map(([name, value]) => `| ${name} | ${value} |`);
  return ['| Machine | |', '| --- | --- |', ...rows, `| Last measured | ${measuredAt.slice(0, 10)} |`].join('\n');
}

function sectionOf({ name, title, about, heldBack }, { figures, text, isShort, measuredAt }) {
  const when = `\`npm run bench -- --only ${name}\`, ${measuredAt.slice(0, 10)}${isShort ? ', a short run' : ''}.`;
  const table = figures.length === 0 ? [] : [markdownTable(figures)];
  const block = text === undefined ? [] : [`\`\`\`\n${text}\n\`\`\``];
  const isMissed = figures.some(({ isHeld }) => isHeld === false);
  const why = isMissed && heldBack !== undefined ? [`Bottleneck: ${heldBack}`] : [];
  return [`## ${title}`, `${about} ${when}`, ...table, ...block, ...why].join('\n\n');
}

function markdownTable(figures) {
  const rows = [HEADINGS, HEADINGS.map(() => '---'), ...figures.map(cellsOf)];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
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

function aimOf({ aim, isHeld, better, ratio, unit }) {
  if (aim === null) return '';
  const bound = `${better === 'more' ? 'at least' : 'at most'} ${aim}${ratio === null ? ` ${unit}` : ''}`;
  return `${bound}: ${isHeld ? 'held' : 'missed'}`;
}

/** Where somebody else is better, and where an aim is missed: a line for each such figure. */
function notBest(measured, results) {
  const blocks = measured.flatMap(({ name, title }) => {
    const lines = results[name].figures
      .filter((figure) => isBehind(figure) || figure.isHeld === false)
      .map(shortfallOf);
    return lines.length === 0 ? [] : [[`- ${title}`, ...lines.map((line) => `  - ${line}`)].join('\n')];
  });
  const found = blocks.length === 0 ? 'Nowhere in what was measured.' : blocks.join('\n');
  return `## Where Mayfly is not the best\n\nEvery figure that is worse than its baseline, and every missed aim.\n\n${found}`;
}

function shortfallOf(figure) {
  const { what, unit, ours, against, ratio } = figure;
  const measured = ratio === null ? `${rounded(ours)} ${unit}` : `${ratio.toFixed(2)} times ${against}`;
  return `${what}: ${measured}${figure.aim === null ? '' : ` (aim: ${aimOf(figure)})`}`;
}

function rounded(value) {
  if (!Number.isFinite(value)) return 'nothing';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}
