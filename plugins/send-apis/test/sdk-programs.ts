import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Job } from './jobs.js';

/** Time limit for all jobs of a language. Python needs seconds to load AWS's SDK. */
export const RUN_MS = 180_000;

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A Python with the packages of requirements.txt, and the Go program; tools/install.js creates both. */
const PYTHON = pathOf('../../../node_modules/.cache/send-api-sdks/bin/python');
const GO = pathOf('../../../node_modules/.cache/send-api-sdks-go');

const COMMANDS = {
  Node: [process.execPath, pathOf('sdks/node/send.js')],
  Python: [PYTHON, '-B', pathOf('sdks/python/send.py')],
  Go: [GO],
  Ruby: ['ruby', pathOf('sdks/ruby/send.rb')],
} as const;

export type Language = keyof typeof COMMANDS;

export const DOCUMENT = pathOf('../../../docs/send-apis.md');

/** Reads the code blocks of docs/send-apis.md in these languages. */
export async function blocksIn(...languages: readonly string[]): Promise<readonly string[]> {
  const blocks = [...(await readFile(DOCUMENT, 'utf8')).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  return blocks.filter(([, language = '']) => languages.includes(language)).map(([, , block = '']) => block);
}

/** The address of the service in the document. */
export const ADDRESS = '127.0.0.1:8080';

/** Returns the environment variables in the document, with the address of this service. */
export async function documentedVariables(url: string): Promise<Record<string, string>> {
  const lines = (await blocksIn('sh')).flatMap((block) => block.split('\n')).filter((line) => /^export /.test(line));
  const assignments = lines.flatMap((line) => line.split(' ').slice(1)).map((one) => one.split('='));
  return Object.fromEntries(
    assignments.map(([name = '', value = '']) => [name, value.replace(ADDRESS, new URL(url).host)]),
  );
}

/** The result of a job: the provider's IDs, or the SDK's error; null for what the SDK does not report. */
export interface Outcome {
  readonly ids?: readonly string[];
  readonly error?: Readonly<Record<'type' | 'status' | 'code' | 'message', string | number | null>>;
}

/** Runs jobs in a language's program, each with its SDK. SDKs find the service by the documented variables only. */
export async function carryOut(
  language: Language,
  jobs: readonly (Job & { sdk: string })[],
  url: string,
): Promise<Outcome[]> {
  const [program, ...args] = COMMANDS[language];
  const { PATH = '', HOME = '' } = process.env;
  // Disables retries, which would only slow down the tests of errors.
  const env = { PATH, HOME, ...(await documentedVariables(url)), AWS_MAX_ATTEMPTS: '1' };
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'], timeout: RUN_MS });
  child.stdin.end(JSON.stringify(jobs));
  return JSON.parse(await text(child.stdout));
}
