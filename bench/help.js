// Commands without options, which still have to explain themselves.
import { parseArgs } from 'node:util';

/** Ends the process with a text where `--help` asks for it, and with exit code 2 where anything else was given. */
export function helpAsked(text) {
  let values;
  try {
    ({ values } = parseArgs({ options: { help: { type: 'boolean' } } }));
  } catch {
    console.error(text);
    process.exit(2);
  }
  if (!values.help) return;
  console.log(text);
  process.exit(0);
}
