import type { Command } from './command.js';
import { clear, list, open } from './inbox-commands.js';
import { newInbox } from './new.js';
import { wait } from './wait.js';

type Name = 'new' | 'wait' | 'list' | 'open' | 'clear';

export const CLIENT_COMMANDS: Readonly<Record<Name, Command>> = { new: newInbox, wait, list, open, clear };
