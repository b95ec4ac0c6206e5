import { clear } from './clear.js';
import type { Command } from './command.js';
import { list } from './list.js';
import { newInbox } from './new.js';
import { open } from './open.js';
import { wait } from './wait.js';

/** What a client does, by the name of the command. */
export const CLIENT_COMMANDS: Readonly<Record<'new' | 'wait' | 'list' | 'open' | 'clear', Command>> = {
  new: newInbox,
  wait,
  list,
  open,
  clear,
};
