import { MayflyNetworkError, MayflyResponseError } from 'mayfly-client';

/** Used instead of an HTTP status if there is no answer, or one beyond the page's limits (requests.ts). */
export const AWAY = 0;
export const TOO_LARGE = 1;
export const TOO_SLOW = 2;

const WORDS: Readonly<Record<number, string>> = {
  [AWAY]: 'Mayfly cannot be reached.',
  [TOO_LARGE]: 'The answer is larger than this page can show. Read it with the API instead.',
  [TOO_SLOW]: 'The answer took longer than 5 minutes. Check the connection to Mayfly, then try again.',
  400: 'This Mayfly accepts no mail for the domain of this address.',
  401: 'The API key of this tab is missing or wrong.',
  404: 'This email is gone: it has expired or was deleted.',
  429: 'Too many requests came from your address. Wait a moment, then try again.',
  503: 'Mayfly is busy with other messages. Wait a moment, then try again.',
};

export function wordsFor(error: Error): string {
  if (error instanceof MayflyNetworkError) return wordsForStatus(AWAY);
  return error instanceof MayflyResponseError ? wordsForStatus(error.status) : 'Something went wrong in this page.';
}

export function wordsForStatus(status: number): string {
  if (status >= 400) return WORDS[status] ?? `Mayfly answered with an error (${status}).`;
  return WORDS[status] ?? 'The server is not Mayfly, or has another version. Reload the page.';
}
