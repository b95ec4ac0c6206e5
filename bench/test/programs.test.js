import { describe, expect, it } from 'vitest';
import { endProgram, MissingProgramError, runProgram, startProgram } from '../programs.js';

const PACKAGE = { debianPackage: 'nothing-at-all' };

describe('a program of a benchmark', () => {
  it('that is not installed is named with its package', async () => {
    for (const begin of [runProgram, startProgram]) {
      const missing = begin('mayfly-no-such-program', [], PACKAGE);
      await expect(missing).rejects.toThrow(MissingProgramError);
      await expect(missing).rejects.toThrow('mayfly-no-such-program is not installed (Debian package nothing-at-all)');
    }
  });

  it('tells what it printed, or what it complained of when it failed', async () => {
    expect(await runProgram(process.execPath, ['-e', 'console.log(1)'], PACKAGE)).toBe('1\n');
    const failed = ['-e', 'console.error("no room"); process.exit(1)'];
    await expect(runProgram(process.execPath, failed, PACKAGE)).rejects.toThrow(/failed: no room$/);
  });

  it('may end with 1 where that is an answer', async () => {
    const answer = ['-e', 'console.log("worse"); process.exitCode = 1'];
    expect(await runProgram(process.execPath, answer, { ...PACKAGE, canFail: true })).toBe('worse\n');
    const other = ['-e', 'process.exitCode = 2'];
    await expect(runProgram(process.execPath, other, { ...PACKAGE, canFail: true })).rejects.toThrow(/failed/);
  });

  it('runs until it is ended', async () => {
    const child = await startProgram(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], PACKAGE);
    expect(child.exitCode).toBeNull();
    await endProgram(child);
    expect(child.signalCode).toBe('SIGKILL');
    await endProgram(child);
  });
});
