import { type Finding, findings } from './finding.js';

const say = findings('node');

/** Looks whether this version of Node is one that Mayfly runs on, such as `v22.1.0` for a needed `>=20.19`. */
export function checkNode(version: string, needed: string): Finding {
  const [major = 0, minor = 0] = numbers(version);
  const [needMajor = 0, needMinor = 0] = numbers(needed);
  const isEnough = major > needMajor || (major === needMajor && minor >= needMinor);
  return isEnough
    ? say.ok(`Node ${version}.`)
    : say.problem(`Node ${version} is too old: Mayfly needs ${needMajor}.${needMinor} or newer. Install a newer one.`);
}

function numbers(text: string): number[] {
  return (text.match(/\d{1,5}/g) ?? []).map(Number);
}
