// Tells at the end of a run which tests were skipped for want of something, and how to get it. SKIPPED_FILES names a
// file for the paths of their test files, so that they alone are run again once everything is installed.
import { writeFileSync } from 'node:fs';

const { SKIPPED_FILES } = process.env;

export default class SkippedTests {
  onTestRunEnd(modules) {
    const wants = new Map();
    const count = (why, file) => {
      const files = wants.get(why) ?? new Map();
      wants.set(why, files.set(file, (files.get(file) ?? 0) + 1));
    };
    const files = new Set();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const { missing = [], leftOut } = test.meta();
        if (missing.length > 0) files.add(module.relativeModuleId);
        for (const what of missing) count(`needs ${what}`, module.relativeModuleId);
        if (leftOut !== undefined) count(leftOut, module.relativeModuleId);
      }
    }
    for (const [why, byFile] of [...wants].sort()) {
      const tests = [...byFile.values()].reduce((sum, one) => sum + one, 0);
      console.log(`Skipped ${counted(tests, 'test')} in ${counted(byFile.size, 'file')}: ${why}.`);
    }
    if (SKIPPED_FILES !== undefined)
      writeFileSync(
        SKIPPED_FILES,
        [...files]
          .sort()
          .map((file) => `${file}\n`)
          .join(''),
      );
  }
}

function counted(number, what) {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
