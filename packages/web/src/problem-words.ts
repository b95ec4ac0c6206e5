import { MayflyNetworkError, MayflyResponseError } from 'mayfly-client';

/** Stands for the HTTP status of an answer that did not come. */
export const AWAY = 0;

const WORDS: Readonly<Record<number, string>> = {
  [AWAY]: 'Mayfly cannot be reached.',
  400: 'This Mayfly accepts no mail for the domain of this address.',
  401: 'This inbox needs another API key.',
  404: 'This email is gone: it has expired or was deleted.',
  429: 'Too many requests came from your address. Wait a moment, then try again.',
  503: 'Mayfly is busy with other messages. Wait a moment, then try again.',
};

/** What the page says when something went wrong, in its own words. */
export function wordsFor(error: Error): string {
  if (error instanceof MayflyNetworkError) return wordsForStatus(AWAY);
  return error instanceof MayflyResponseError ? wordsForStatus(error.status) : 'Something went wrong in this page.';
}

/** The same of an answer's HTTP status. */
export function wordsForStatus(status: number): string {
  const words = WORDS[status];
  if (words !== undefined) return words;
  return status < 400
    ? 'This address is not Mayfly, or is another version of it. Reload the page.'
    : `Mayfly answered with an error (${status}).`;
}
