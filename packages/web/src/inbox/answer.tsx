import {
  type EmailParts,
  MayflyGoneError,
  MayflyNetworkError,
  MayflyResponseError,
  type MimePart,
} from 'mayfly-client';
import { pauseMs } from 'mayfly-client/retry';
import { type ComponentChild, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { wordsFor } from '../problem-words.js';
import { type Api, inboxApi } from '../service.js';
import { Button } from '../ui/button.js';
import type { Entry } from '../ui/toolbar.js';
import { pause, useUntil } from '../ui/until.js';
import type { Mail } from './mail.js';
import type { Pace } from './pace.js';
import type { Gone } from './selection.js';

/** Number of requests to a busy service before the page shows an error. The pauses between them add up to about 3 s. */
export const BUSY_TRIES = 6;

export const BUSY_STATUS = 503;

/** The email on screen, for every component that shows a part of it. */
export interface MailOnScreen {
  readonly inbox: string;
  /** Whether the email is one of all mail, rather than of its inbox. */
  readonly isOfAll: boolean;
  /** The name of the list to go back to. */
  readonly listName: string;
  readonly mail: Mail;
  /** Why the email is gone; null while it is in its inbox. */
  readonly gone: Gone | null;
  /** The previous email of the same sender; without one, the previous email of any sender. */
  readonly before: Mail | null;
  /** The words of the list's search. */
  readonly words: readonly string[];
  /** The server's time in milliseconds since the epoch. */
  readonly now: number;
  /** Limits the fetches of opened emails. */
  readonly pace: Pace;
  readonly news: ComponentChild;
  /** The entries of the menu on a phone, apart from the actions of the email. */
  readonly entries?: readonly Entry[];
  onParts(parts: EmailParts): void;
  onGone(): void;
  remove(): void;
  letGo(): void;
}

export const MailContext = createContext<MailOnScreen | null>(null);

export function useMail(): MailOnScreen {
  return useContext(MailContext) as MailOnScreen;
}

export interface Answer<T> {
  /** Null until the answer arrives, and after a failure. */
  readonly value: T | null;
  readonly error: Error | null;
  retry(): void;
}

type Ask<T> = (api: Api, signal: AbortSignal) => Promise<T>;

/** Sends a request about the email on screen, once for each email and after each `retry`, but only if it is wanted. */
export function useAnswer<T>(ask: Ask<T>, isWanted = true): Answer<T> {
  const { inbox, mail, onGone } = useMail();
  return useReply(`${mail.key} ${inbox}`, (signal) => ask(inboxApi(inbox), signal), isWanted, onGone);
}

/** As `useAnswer`, about anything else. `of` identifies it. */
export function useReply<T>(
  of: string,
  ask: (signal: AbortSignal) => Promise<T>,
  isWanted = true,
  onGone?: () => void,
): Answer<T> {
  const [answer, setAnswer] = useState<Omit<Answer<T>, 'retry'> & { of: string }>({ of, value: null, error: null });
  const [attempt, setAttempt] = useState(0);
  useUntil([attempt, of, isWanted], (signal) => {
    if (!isWanted || (answer.of === of && answer.value !== null)) return;
    patiently(() => ask(signal), signal).then(
      (value) => signal.aborted || setAnswer({ of, value, error: null }),
      (error: Error) => {
        if (signal.aborted) return;
        setAnswer({ of, value: null, error });
        if (error instanceof MayflyGoneError) onGone?.();
      },
    );
  });
  // The answer about the previous email is never shown for this one.
  const { value, error } = answer.of === of ? answer : { value: null, error: null };
  const retry = () => {
    setAnswer({ of, value: null, error: null });
    setAttempt(attempt + 1);
  };
  return { value, error, retry };
}

/** While the service is away, which the page shows in one place, tries again until the signal is aborted. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof MayflyResponseError && error.status === BUSY_STATUS;
      const isAway = error instanceof MayflyNetworkError && !signal.aborted;
      if (!isAway && (!isBusy || tries >= BUSY_TRIES)) throw error;
    }
    await pause(pauseMs(tries, null), signal);
  }
}

export function Asked<T>({ ask, children }: { ask: Ask<T>; children(value: T): ComponentChild }) {
  const answer = useAnswer(ask);
  return answer.value === null ? <Unanswered answer={answer} /> : children(answer.value);
}

/** A placeholder until the answer arrives. After a failure, shows the error and a button to retry. */
export function Unanswered({ answer: { error, retry } }: { answer: Answer<unknown> }) {
  if (error === null) return <p class="hint">Reading the email…</p>;
  return <Failure words={wordsFor(error)} retry={error instanceof MayflyGoneError ? null : retry} />;
}

interface FailureProps {
  readonly words: string;
  readonly action?: string;
  readonly retry: (() => void) | null;
}

export function Failure({ words, action = 'Try again', retry }: FailureProps) {
  return (
    <p class="panel-actions flow">
      <span class="problem" role="alert">
        {words}
      </span>
      {retry !== null && <Button text={action} onClick={retry} />}
    </p>
  );
}

/** The text of a part; an unknown charset is read as UTF-8. */
export async function textOf(api: Api, key: string, { path, charset }: MimePart, signal: AbortSignal) {
  const bytes = await (await api.part(key, path, signal)).arrayBuffer();
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
