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

/** Loads compiled code. If it is missing, prints the build command and exits. */
export function loadBuilt(load) {
  return load().catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.error('The code is not built. Run "npm run build" first.');
    process.exit(1);
  });
}
