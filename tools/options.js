import { parseArgs } from 'node:util';

/** Returns a command's options and `positionals`. For --help or an invalid option, prints a message and exits. */
export function optionsOf(usage, options = {}, allowPositionals = false) {
  try {
    const all = { ...options, help: { type: 'boolean' } };
    const { values, positionals } = parseArgs({ options: all, allowPositionals });
    if (!values.help) return { ...values, positionals };
  } catch (error) {
    refuse(error.message.split('. ')[0]);
  }
  console.log(usage);
  process.exit(0);
}

export function refuse(sentence) {
  console.error(`${sentence.replace(/\.?$/, '.')} Try --help.`);
  process.exit(2);
}
