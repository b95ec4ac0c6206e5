// Exchanges data with the runner of GitHub Actions: by environment variables, by files that they name, and by commands
// on standard output.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import path from 'node:path';

/** An error with a sentence for the author of the workflow. */
export class StepError extends Error {}

/** Returns the text of an input, '' if unset. Throws `StepError` with `sentence` if the text breaks the rule. */
export function input(name, rule, sentence) {
  const text = (process.env[`INPUT_${name.toUpperCase().replaceAll('-', '_')}`] ?? '').trim();
  if (text === '' || rule.test(text)) return text;
  throw new StepError(`The input ${name} is ${JSON.stringify(text)}, which is not valid: ${sentence}.`);
}

export function variable(name) {
  const value = process.env[name];
  if (value) return value;
  throw new StepError(`${name} is not set. Run this as a step of GitHub Actions.`);
}

/** Returns the parent folder of the job's services, which the runner empties at the end. */
export function folderOfJob() {
  return path.join(variable('RUNNER_TEMP'), 'mayfly');
}

/** Sets values for later steps in the file that `GITHUB_OUTPUT` or `GITHUB_ENV` names. */
export function hand(file, values) {
  for (const [name, value] of Object.entries(values)) {
    // The delimiter is random, so that no value can end its block.
    const end = randomUUID();
    appendFileSync(variable(file), `${name}<<${end}\n${value}\n${end}\n`);
  }
}

/** Prints a text, folded, in the job's log. Makes the runner ignore commands in the text. */
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

/** Escapes a text for a command, which must be a single line. */
function escaped(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
