import { checkMail } from './check-mail.js';

export const TASKS = {
  check: (raw: Uint8Array): [found: Uint8Array] => [Buffer.from(JSON.stringify(checkMail(raw)))],
} as const;
