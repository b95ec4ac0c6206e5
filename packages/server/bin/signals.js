// Runs before any import: by default, SIGUSR2 and SIGHUP end a process, and SIGUSR1 opens a debugger's port.
// packages/server/src/commands/serve.ts defines what else these signals do.
const { isatty } = require('node:tty');

for (const signal of ['SIGUSR1', 'SIGUSR2']) process.on(signal, () => {});
// Only a service without a terminal ignores SIGHUP. Any other process ends when its terminal closes.
if (process.argv[2] === 'serve' && ![0, 1, 2].some(isatty)) process.on('SIGHUP', () => {});
