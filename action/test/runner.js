// Runs the composite actions of this folder as a runner of GitHub Actions does: reads output files, and ends processes
// that a job left running. Reports steps that use third-party actions, but does not run them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ACTIONS = fileURLToPath(new URL('..', import.meta.url));

export class Job {
  #folder;
  #machine;
  #tracking = `mayfly-test-${process.pid}-${Math.random()}`;
  env = {};

  /** @param machine more variables of the runner's environment */
  constructor(folder, env = {}, machine = {}) {
    this.#folder = folder;
    this.#machine = machine;
    this.env = { ...env };
    for (const name of ['workspace', 'temp']) mkdirSync(path.join(folder, name), { recursive: true });
  }

  get workspace() {
    return path.join(this.#folder, 'workspace');
  }

  get temp() {
    return path.join(this.#folder, 'temp');
  }

  async use(action, inputs = {}) {
    const folder = path.join(ACTIONS, action);
    const definition = parse(readFileSync(path.join(folder, 'action.yml'), 'utf8'));
    const given = { ...defaultsOf(definition), ...inputs };
    const steps = {};
    const used = [];
    let printed = '';
    let code = 0;
    for (const step of definition.runs.steps) {
      const scope = { inputs: given, steps };
      if (step.if !== undefined && !isTrue(step.if, scope)) continue;
      if (step.uses !== undefined) {
        used.push({ uses: step.uses, with: valuesOf(step.with, scope) });
        continue;
      }
      const ran = await this.#run(step, folder, scope);
      printed += ran.printed;
      code = ran.code;
      if (step.id !== undefined) steps[step.id] = { outputs: ran.outputs };
      if (code !== 0) break;
    }
    const outputs = code === 0 ? outputsOf(definition, { inputs: given, steps }) : {};
    return { code, printed, outputs, used };
  }

  async #run(step, actionPath, scope) {
    if (step.shell !== 'bash') throw new Error(`A step without a shell that every runner has: ${step.shell}`);
    const files = Object.fromEntries(
      ['GITHUB_ENV', 'GITHUB_OUTPUT'].map((name) => [name, path.join(this.temp, `_${name}`)]),
    );
    for (const file of Object.values(files)) writeFileSync(file, '');
    const inherited = Object.entries(process.env).filter(([name]) => !/^(?:MAYFLY_|SMTP_|GITHUB_|RUNNER_)/.test(name));
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: this.workspace,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...Object.fromEntries(inherited),
        npm_config_prefer_offline: 'true',
        ...this.#machine,
        ...this.env,
        ...files,
        GITHUB_ACTION_PATH: actionPath.replace(/\/$/, ''),
        GITHUB_WORKSPACE: this.workspace,
        GITHUB_JOB: 'end to end',
        RUNNER_TEMP: this.temp,
        RUNNER_TRACKING_ID: this.#tracking,
        ...valuesOf(step.env, scope),
      },
    });
    const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    Object.assign(this.env, answersIn(files.GITHUB_ENV));
    return { code, printed, outputs: answersIn(files.GITHUB_OUTPUT) };
  }

  processes() {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`RUNNER_TRACKING_ID=${this.#tracking}`))
      .map(Number);
  }

  end() {
    for (const pid of this.processes()) process.kill(pid, 'SIGKILL');
  }
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // The process has already exited.
    return [];
  }
}

function defaultsOf({ inputs = {} }) {
  return Object.fromEntries(Object.entries(inputs).map(([name, { default: standard = '' }]) => [name, standard]));
}

function outputsOf({ outputs = {} }, scope) {
  return Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, filled(value, scope)]));
}

function valuesOf(values = {}, scope) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(String(value), scope)]));
}

/** Evaluates the expressions that these actions use. */
function filled(text, scope) {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression) => valueIn(expression, scope));
}

function valueIn(expression, { inputs, steps }) {
  const found = expression.split(' || ').map((name) => {
    const [, input] = /^inputs\.([\w-]+)$/.exec(name) ?? [];
    const [, step, output] = /^steps\.(\w+)\.outputs\.([\w-]+)$/.exec(name) ?? [];
    if (input !== undefined && Object.hasOwn(inputs, input)) return inputs[input];
    if (step !== undefined) return steps[step]?.outputs[output] ?? '';
    throw new Error(`An expression that no runner test knows: ${name}`);
  });
  return found.find((value) => value !== '') ?? '';
}

function isTrue(condition, scope) {
  const [, expression] = /^(.*) != ''$/.exec(condition) ?? [];
  return valueIn(expression ?? condition, scope) !== '';
}

/** Parses the names and values that a step has written for later steps, each value up to its delimiter. */
function answersIn(file) {
  const answers = {};
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  for (let at = 0; at < lines.length - 1; at += 1) {
    const [, name, end] = /^([\w-]+)<<(.+)$/.exec(lines[at]) ?? [];
    if (name === undefined) throw new Error(`No name and value: ${lines[at]}`);
    const last = lines.indexOf(end, at + 1);
    answers[name] = lines.slice(at + 1, last).join('\n');
    at = last;
  }
  return answers;
}
