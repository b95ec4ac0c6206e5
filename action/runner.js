// What a step of GitHub Actions is given by its runner, and how it answers: by files that the environment names, and by lines on
// standard output.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import path from 'node:path';

/** What went wrong, in a sentence for whoever wrote the workflow. */
export class StepError extends Error {}

/** What an input was given as; '' where it was not. Throws `StepError` for what breaks its rule. */
export function input(name, rule, sentence) {
  const text = (process.env[`INPUT_${name.toUpperCase().replaceAll('-', '_')}`] ?? '').trim();
  if (text === '' || rule.test(text)) return text;
  throw new StepError(`The input ${name} is ${JSON.stringify(text)}, which is not valid: ${sentence}.`);
}

/** A variable that every runner sets. */
export function variable(name) {
  const value = process.env[name];
  if (value) return value;
  throw new StepError(`${name} is not set: this runs as a step of GitHub Actions.`);
}

/** Where the services of a job have their folders: the runner empties it at the end. */
export function folderOfJob() {
  return path.join(variable('RUNNER_TEMP'), 'mayfly');
}

/** Values for later steps: `GITHUB_OUTPUT` and `GITHUB_ENV` name such a file each. */
export function hand(file, values) {
  for (const [name, value] of Object.entries(values)) {
    // No value can end its own block, whatever is in it.
    const end = randomUUID();
    appendFileSync(variable(file), `${name}<<${end}\n${value}\n${end}\n`);
  }
}

/** Prints text in the job's log, folded, so that no line of it is taken for a command to the runner. */
export function printFolded(title, text) {
  const end = randomUUID();
  console.log(`::group::${title}\n::stop-commands::${end}\n${text}\n::${end}::\n::endgroup::`);
}

/** Runs a step. What goes wrong is shown at the job and fails the step. */
export async function runStep(step) {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof StepError)) console.log(error.stack);
    console.log(`::error title=Mayfly::${escaped(error.message)}`);
    process.exitCode = 1;
  }
}

/** Shows a sentence at the job, which goes on. */
export function warn(sentence) {
  console.log(`::warning title=Mayfly::${escaped(sentence)}`);
}

/** The text of a command is one line. */
function escaped(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
