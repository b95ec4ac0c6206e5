import { importMail } from './import.js';
import { clear, list, url } from './inbox-commands.js';
import { newInbox } from './new.js';
import { wait } from './wait.js';

export const CLIENT_COMMANDS = { new: newInbox, wait, list, url, clear, import: importMail };
