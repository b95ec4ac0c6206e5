import type { Translator } from './order.js';
import { resendBatch, resendEmail } from './resend/read-resend.js';

/** How the requests of each route are read, by the route's name. */
export const TRANSLATORS = {
  'resend email': resendEmail,
  'resend batch': resendBatch,
} as const satisfies Record<string, Translator>;

export type TranslatorName = keyof typeof TRANSLATORS;
