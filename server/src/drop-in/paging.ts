import type { Request } from '../http/framework.js';

/** Which of the messages that are found a client wants. */
export interface Page {
  readonly start: number;
  readonly limit: number;
}

/** Pages of a list: `standard` messages unless more are asked for, `most` at once. What is no number counts as not given, as it does there. */
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

/** A parameter of the query, the first where it is given several times; empty without one. */
export function textParameter({ query }: Request, name: string): string {
  return [(query as Record<string, string | string[]>)[name] ?? ''].flat()[0] ?? '';
}
