import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { MAYFLY } from './process.js';

/** Signals repeat at this interval, because Linux drops those that a container's first process does not handle yet. */
const AGAIN_MS = 2;

test(
  'a container that is stopped before it is ready ends immediately and never reports ready',
  needs('Linux', 'unshare'),
  async () => {
    const service = [process.execPath, MAYFLY, 'serve', '--store', 'memory:', '--http-port', '0', '--smtp-port', '0'];
    const container = spawn('unshare', ['--pid', '--fork', '--kill-child', ...service], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    container.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const ended = once(container, 'close');
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const first = Number(
        await readFile(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').catch(() => ''),
      );
      try {
        if (first > 0) process.kill(first, 'SIGTERM');
      } catch {
        // The process has just ended.
      }
      await delay(AGAIN_MS);
    }
    expect(output).toBe('');
    expect(await ended).toEqual([143, null]);
  },
);
