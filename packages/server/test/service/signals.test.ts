import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlink } from 'node:fs/promises';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { RawClient } from '../smtp/client.js';
import { endAll, fetchInbox, MAYFLY, type RunningMayfly, serve, transportTo } from './process.js';

afterEach(endAll);

const start = () => serve(['--store', 'memory:']);

/** Whether Node's inspector listens, which it reports on standard error. */
const hasInspector = ({ log }: RunningMayfly) => /Debugger listening/.test(log());

describe.each(['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)('%s', (signal) => {
  test('is logged and ignored if the service has no terminal', async () => {
    const mayfly = await start();
    mayfly.process.kill(signal);
    await expect.poll(mayfly.log).toContain(`${signal} is ignored`);
    expect(hasInspector(mayfly)).toBe(false);
    await transportTo(mayfly).sendMail({ from: 'a@a.test', to: 'after@inbox.example.com', text: 'after' });
    expect((await fetchInbox(mayfly, 'after')).count).toBe(1);
    expect(await mayfly.end('SIGTERM')).toBe(0);
  });
});

test.each([
  ['SIGINT', '(at most 10 s; press Ctrl-C again to stop immediately)'],
  ['SIGTERM', '(at most 10 s)'],
] as const)('%s is logged, and only the log line for SIGINT mentions Ctrl-C', async (signal, said) => {
  const mayfly = await start();
  expect(await mayfly.end(signal)).toBe(0);
  expect(mayfly.log()).toContain(
    `${signal}: no longer accepting new mail; mail already being received may finish ${said}`,
  );
});

test('SIGHUP after SIGTERM, as systemd sends them, does not cut the stop short', async () => {
  const mayfly = await start();
  const sender = await RawClient.greeted(mayfly.smtpPort);
  await sender.begin();
  await sender.send('half of it');
  const ended = mayfly.end('SIGTERM');
  mayfly.process.kill('SIGHUP');
  await expect.poll(mayfly.log).toContain('SIGHUP is ignored');
  expect(await sender.ask(' and the rest\r\n.')).toMatch(/^250 2\.6\.0 /);
  expect(await ended).toBe(0);
});

/**
 * A program that runs a command in a terminal. It prints the process ID and the output up to the line that begins with
 * "ready". After a line on standard input, it closes the terminal and prints how the command ended.
 */
const IN_A_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
print('process', pid, flush=True)
said = b''
try:
    while not any(line.startswith(b'ready ') for line in said.split(b'\\n')[:-1]):
        said += os.read(terminal, 4096)
    print(said.decode(), flush=True)
    sys.stdin.readline()
except OSError as error:
    print(said.decode(), error, flush=True)
os.close(terminal)
print('ended with', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

test.each(['text', 'json'])(
  'a service whose terminal is closed receives the rest of a message and exits with 0, with its %s log lost',
  needs('python3'),
  async (format) => {
    const log = ['--log-level', 'debug', '--log-format', format];
    const service = [process.execPath, MAYFLY, 'serve', '--store', 'memory:', ...log];
    const args = ['-c', IN_A_TERMINAL, ...service, '--http-port', '0', '--smtp-port', '0'];
    const terminal = spawn('python3', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void terminal.kill('SIGKILL'));
    let printed = '';
    terminal.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    const ended = once(terminal, 'close');
    const prints = async (what: RegExp) => {
      await expect.poll(() => printed).toMatch(what);
      return what.exec(printed)?.[1];
    };
    const pid = await prints(/^process (\d+)$/m);
    const smtpPort = Number(await prints(/^ready smtp=127\.0\.0\.1:(\d+) .*$/m));

    const sender = await RawClient.greeted(smtpPort);
    await sender.begin();
    await sender.send('half of it');
    terminal.stdin.write('close\n');
    await expect.poll(async () => (await RawClient.open(smtpPort)).reply()).toMatch(/^421 /);
    // The service must not close these descriptors, because a file that it opens later would get their numbers.
    const streams = await Promise.all([0, 1, 2].map((fd) => readlink(`/proc/${pid}/fd/${fd}`)));
    expect(streams).toEqual(Array(3).fill(expect.stringContaining('/dev/pts/')));
    expect(await sender.ask(' and the rest\r\n.')).toMatch(/^250 2\.6\.0 /);
    await ended;
    expect(printed).toMatch(/^ended with 0$/m);
  },
);
