import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StartedMayfly } from 'mayfly-inbox';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { temporaryFolder } from '../service/process.js';
import { scraped, scrapedText, startCounting } from './scrape.js';

const at = (name: string) => fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url));
const document = (name: string) => readFileSync(at(name), 'utf8');

const ALERTS = at('prometheus/alerts.yml');

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly Target[] }[];
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
}

const dashboard = JSON.parse(document('grafana/mayfly.json')) as Dashboard;
const panels = dashboard.panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, ...target })));
const alerts = [...document('prometheus/alerts.yml').matchAll(/alert: (\w+)\n(?: +#.*\n)? +expr: (.+)\n/g)].map(
  ([, title = '', expr = '']) => ({ title, expr }),
);
const queries = [
  ...panels,
  ...alerts,
  ...dashboard.annotations.list.map(({ expr }) => ({ title: 'annotation', expr })),
  ...dashboard.templating.list.flatMap(({ definition }) =>
    definition === undefined ? [] : { title: 'variable', expr: definition },
  ),
];

/** Labels that Prometheus adds, and the label of a histogram bucket. */
const GIVEN_LABELS = ['job', 'instance', 'le'];

let service: StartedMayfly;
/** The names of all series, each with its labels. */
const labelsOf = new Map<string, Set<string>>();
/** The names of all metrics. */
let families: string[];

beforeAll(async () => {
  service = await startCounting();
  const transport = createTransport(service.smtp);
  await transport.sendMail({ from: 'a@app.test', to: 'demo@inbox.example.com', subject: 'Hello', text: 'Hello' });
  transport.close();
  await (await fetch(`${service.url}/livez`)).text();
  for (const series of (await scraped(service)).keys()) {
    const [name = '', labels = ''] = series.split('{');
    const known = labelsOf.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    labelsOf.set(name, known);
  }
  families = [...(await scrapedText(service)).matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
});

afterAll(async () => await service.stop());

const namesIn = (expr: string) => [...new Set(expr.match(/\b(?:mayfly|process|nodejs)_\w+/g))];

describe('every query of the dashboard and the alerts', () => {
  test.each(queries)('uses existing metrics and labels: $title: $expr', ({ title, expr }) => {
    const names = namesIn(expr);
    if (title !== 'MayflyDown') expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect([...labelsOf.keys()]).toContain(name);
    const known = new Set(names.flatMap((name) => [...(labelsOf.get(name) ?? [])]));
    const selected = [...expr.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label);
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '));
    for (const label of [...selected, ...grouped]) expect([...GIVEN_LABELS, ...known]).toContain(label);
  });
});

describe('promtool', needs('promtool'), () => {
  const check = (file: string) => spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });

  /** Checks queries as rules in a file. The file is JSON, which is valid YAML. */
  async function checkQueries(exprs: readonly string[]) {
    const folder = await temporaryFolder();
    const rules = exprs.map((expr, position) => ({ record: `panel_${position}`, expr }));
    await writeFile(path.join(folder.path, 'rules.yml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    const checked = check(path.join(folder.path, 'rules.yml'));
    await folder.remove();
    return checked;
  }

  test('alerts once for each response with 500, including the first', async () => {
    const folder = await temporaryFolder();
    const alert = 'MayflyFails';
    // Ten minutes without a value, then a 500 that starts the series, and another 500 twenty minutes later.
    const values = '_x10 1x19 2x30';
    const fires = async (minutes: number, isFiring: boolean) => {
      const labels = { instance: 'one', route: '/livez', severity: 'warning' };
      const summary = 'Mayfly on one answers /livez with 500.';
      const firing = { exp_labels: labels, exp_annotations: { summary, description: 'The log has the reason.' } };
      const unit = {
        rule_files: [ALERTS],
        evaluation_interval: '1m',
        tests: [
          {
            interval: '1m',
            input_series: [
              {
                series: 'mayfly_http_requests_total{instance="one",route="/livez",status="500",source="other"}',
                values,
              },
            ],
            alert_rule_test: [{ eval_time: `${minutes}m`, alertname: alert, exp_alerts: isFiring ? [firing] : [] }],
          },
        ],
      };
      const file = path.join(folder.path, `at-${minutes}.yml`);
      await writeFile(file, JSON.stringify(unit));
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
      expect([minutes, status, stderr], stdout).toEqual([minutes, 0, '']);
    };
    for (const [minutes, isFiring] of [
      [8, false],
      [12, true],
      [20, false],
      [33, true],
      [45, false],
    ] as const) {
      await fires(minutes, isFiring);
    }
    await folder.remove();
  });

  test('parses every query of the dashboard', async () => {
    const { status, stderr } = await checkQueries(panels.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));
    expect([status, stderr]).toEqual([0, '']);
    expect((await checkQueries(['sum('])).status).not.toBe(0);
  });
});

test('docs/operations.md lists every mayfly_ metric with its labels, and nothing else', () => {
  const rows = [...document('operations.md').matchAll(/^\| `(mayfly_\w+)` \| (.*?) \|/gm)].map(
    ([, name = '', labels = '']) => [name, [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label)],
  );
  const own = families.filter((name) => name.startsWith('mayfly_'));
  const expected = own.map((name) => {
    const labels = labelsOf.get(name) ?? labelsOf.get(`${name}_count`) ?? new Set();
    return [name, [...labels].filter((label) => label !== 'le')];
  });
  const sorted = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort();
  expect(sorted(rows)).toEqual(sorted(expected));
});
