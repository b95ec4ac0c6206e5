export { CLIENT_OPTIONS, clientOptions, withMayfly } from './client-command.js';
export { CLIENT_COMMANDS } from './client-commands.js';
export type { Arguments, Command, CommandOption, Invocation, OtherOptions } from './command.js';
export { readArguments, UsageError, valueless } from './command.js';
export { type CommandLine, runCommandLine } from './command-line.js';
export { filesIn } from './files.js';
export { commandHelp, type DescribedFlag, type FlagSection } from './help.js';
export { sayIfUnread } from './output.js';
export { jsonText, printable } from './terminal-text.js';
