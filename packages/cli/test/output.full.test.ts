import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tools/needs.js';
import { CLIENT_MAYFLY, endAll, MAYFLY, runMayfly, serve, transportTo } from '../../server/test/service/process.js';

const mayfly = await serve(['--store', 'memory:', '--fetch-limit', 'off']);

afterAll(endAll);

const COMMANDS = [
  ["the client's", CLIENT_MAYFLY],
  ["the service's", MAYFLY],
] as const;

/** Runs a command with a file as standard output, and resolves to its exit code and error output. */
async function runInto(file: string, command: string, args: readonly string[]) {
  const output = openSync(file, 'w');
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', output, 'pipe'] });
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint += chunk;
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, complaint };
}

describe.each(COMMANDS)('the %s command', (_, command) => {
  test('prints one line on stderr and exits with 1 if its output cannot be written', needs('/dev/full'), async () => {
    const { exitCode, complaint } = await runInto('/dev/full', command, ['new']);
    expect(complaint).toBe('mayfly: Standard output cannot be written: no space is left on the device.\n');
    expect(exitCode).toBe(1);
  });

  test('ends without a message when the reader has closed the pipe', async () => {
    const inbox = `big-${command.length}`;
    const text = 'x'.repeat(500_000);
    await transportTo(mayfly).sendMail({
      from: 'app@app.test',
      to: `${inbox}@inbox.example.com`,
      subject: 'Big',
      text,
    });
    const child = spawn(process.execPath, [command, 'list', inbox, '--json', '--url', mayfly.url], { stdio: 'pipe' });
    let complaint = '';
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    // The pipe holds less than the list, so later writes find the pipe closed.
    await once(child.stdout, 'readable');
    child.stdout.destroy();
    const [exitCode] = await once(child, 'close');
    expect({ exitCode, complaint }).toEqual({ exitCode: 1, complaint: '' });
  });

  test('the error for an unreachable service names options of the command, not of the library', async () => {
    const { stderr } = await runMayfly(['list', 'demo', '--url', 'http://127.0.0.1:9'], {}, { command });
    expect(stderr).toMatch(
      /^mayfly: Mayfly at http:\/\/127\.0\.0\.1:9 cannot be reached: .* run "npx mayfly-inbox serve" or the executable .*; .* with --url or MAYFLY_URL\.\n$/,
    );
  });
});

test('progress stays on one line of a narrow terminal', needs('script'), async () => {
  const name = 'somebody-with-a-very-long-name';
  const command = `stty cols 30; exec '${process.execPath}' '${CLIENT_MAYFLY}' wait ${name} --url ${mayfly.url} --timeout 3`;
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { stdio: 'pipe' });
  let shown = '';
  terminal.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  await once(terminal, 'close');
  const lines = shown.split('\r\u001b[K').slice(1, -1);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/^Waiting for an email.{0,3}…: \d+ s$/u);
  for (const line of lines) expect(line.length).toBeLessThan(30);
});

test('an interrupted wait ends by the signal, and erases its progress line', needs('script'), async () => {
  const command = `exec '${process.execPath}' '${CLIENT_MAYFLY}' wait nobody --url ${mayfly.url} --timeout 50`;
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { stdio: 'pipe' });
  let shown = '';
  terminal.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  await expect.poll(() => shown).toMatch(/Waiting for an email to nobody@inbox\.example\.com: \d/);
  terminal.stdin.write('\u0003');
  const [exitCode] = await once(terminal, 'close');
  expect(shown.endsWith('\r\u001b[K')).toBe(true);
  // Shells report this code for a process that SIGINT ended.
  expect(exitCode).toBe(130);
});
