// The runner's interface to a step of GitHub Actions: environment variables, files that they name, and commands on
// standard output.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import path from 'node:path';

/** An error with a sentence for the author of the workflow. */
export class StepError extends Error {}

/** The text of an input, '' if unset. Throws `StepError` if the text breaks the rule. */
export function input(name, rule, sentence) {
  const text = (process.env[`INPUT_${name.toUpperCase().replaceAll('-', '_')}`] ?? '').trim();
  if (text === '' || rule.test(text)) return text;
  throw new StepError(`The input ${name} is ${JSON.stringify(text)}, which is not valid: ${sentence}.`);
}

export function variable(name) {
  const value = process.env[name];
  if (value) return value;
  throw new StepError(`${name} is not set: this runs as a step of GitHub Actions.`);
}

/** The parent folder of a job's services. The runner empties it at the end. */
export function folderOfJob() {
  return path.join(variable('RUNNER_TEMP'), 'mayfly');
}

/** Sets values for later steps in the file that `GITHUB_OUTPUT` or `GITHUB_ENV` names. */
export function hand(file, values) {
  for (const [name, value] of Object.entries(values)) {
    // Random, so that no value can end its block.
    const end = randomUUID();
    appendFileSync(variable(file), `${name}<<${end}\n${value}\n${end}\n`);
  }
}

/** Prints folded text in the job's log. The runner ignores commands in the text. */
export function printFolded(title, text) {
  const end = randomUUID();
  console.log(`::group::${title}\n::stop-commands::${end}\n${text}\n::${end}::\n::endgroup::`);
}

/** Runs a step. An error is shown on the job and fails the step. */
export async function runStep(step) {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof StepError)) console.log(error.stack);
    console.log(`::error title=Mayfly::${escaped(error.message)}`);
    process.exitCode = 1;
  }
}

/** Shows a warning on the job. */
export function warn(sentence) {
  console.log(`::warning title=Mayfly::${escaped(sentence)}`);
}

/** Escapes a text for a command, which is a single line. */
function escaped(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
