// Tells at the end of a run which tests were skipped for want of something, and how to get it. SKIPPED_FILES names a
// file for the paths of their test files, so that they alone are run again once everything is installed.
import { writeFileSync } from 'node:fs';

const { SKIPPED_FILES } = process.env;

export default class SkippedTests {
  onTestRunEnd(modules) {
    const wants = new Map();
    const lacking = new Set();
    for (const module of modules) {
      const file = module.relativeModuleId;
      for (const test of module.children.allTests('skipped')) {
        const { missing = [], leftOut } = test.meta();
        if (missing.length > 0) lacking.add(file);
        for (const why of [...missing.map((what) => `needs ${what}`), leftOut ?? []].flat())
          wants.set(why, [...(wants.get(why) ?? []), file]);
      }
    }
    for (const [why, files] of [...wants].sort())
      console.log(`Skipped ${counted(files.length, 'test')} in ${counted(new Set(files).size, 'file')}: ${why}.`);
    const lines = [...lacking].sort().map((file) => `${file}\n`);
    if (SKIPPED_FILES !== undefined) writeFileSync(SKIPPED_FILES, lines.join(''));
  }
}

function counted(number, what) {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
