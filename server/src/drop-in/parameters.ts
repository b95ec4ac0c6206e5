import type { Request } from '../http/http.js';
import type { Inboxes } from '../inbox/inboxes.js';

export interface Page {
  readonly start: number;
  readonly limit: number;
}

/** `standard` messages unless more are asked for, `most` at once. Anything but a number counts as missing, as there. */
export function pageOf(
  request: Request,
  { standard, most }: { readonly standard: number; readonly most: number },
): Page {
  const start = wholeNumber(request, 'start') ?? 0;
  return { start, limit: Math.min(wholeNumber(request, 'limit') ?? standard, most) };
}

function wholeNumber(request: Request, name: string): number | null {
  const text = textParameter(request, name);
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** The first of several; empty without one. */
export function textParameter({ query }: Request, name: string): string {
  return [(query as Record<string, string | string[]>)[name] ?? ''].flat()[0] ?? '';
}

const WHOLE_ADDRESS = /^[^\s<>"@]+@[^\s<>"@]+$/;

/** The recipient whose inbox a search may go to: for a whole address of a domain that is served; else null. */
export function recipientNamed(text: string, inboxes: Inboxes) {
  const recipient = WHOLE_ADDRESS.test(text) ? inboxes.recipientOf(text) : null;
  return typeof recipient === 'string' ? null : recipient;
}
