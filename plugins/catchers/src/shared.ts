import type {
  AllInboxes,
  ExtensionHost,
  ExtensionWork,
  Log,
  Message,
  Settings,
} from '../../../packages/server/dist/extension/extension.js';
import type { TASKS } from './in-thread.js';
import type { ReadMarks, SenderNames } from './message-notes.js';

/** Requests count against the limit of drop-ins. */
export const CONFIG = { config: { limit: 'drop-in' } } as const;

export interface Shared extends ExtensionHost {
  readonly inboxes: AllInboxes;
  readonly log: Log;
  readonly settings: Pick<Settings, 'drop-in-root' | 'page' | 'max-message' | 'max-recipients'>;
  readonly marks: ReadMarks;
  readonly senders: SenderNames;
}

/** A message is given to a client: each of its emails that the client asked for by it. */
export function handOut({ attempts }: Pick<Shared, 'attempts'>, { emails }: Message, client: string): void {
  for (const email of emails) attempts.handedOut(email.inbox, [email], { way: 'drop-in', client });
}

type Tasks = typeof TASKS;

export function work<N extends keyof Tasks>(task: N, details: Parameters<Tasks[N]>[1]): ExtensionWork {
  return { extension: 'catchers', task, details };
}
