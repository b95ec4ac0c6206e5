import { useEffect, useState } from 'preact/hooks';
import { wordsFor } from '../problem-words.js';
import { later, useUntil } from './until.js';

const TOAST_MS = 3_000;

let say: (text: string, isShown: boolean) => void = () => {};

/** Makes a screen reader read a text aloud. */
export function announce(text: string): void {
  say(text, false);
}

/** Announces a text and shows it for a moment: for actions without another visible sign. */
export function toast(text: string): void {
  say(text, true);
}

/** Shows a failure; `isPassing` if the page tries again. */
export function Problem({ error, isPassing = false }: { error: Error; isPassing?: boolean }) {
  return (
    <p class="problem" role="alert">
      {wordsFor(error)} {isPassing && 'Trying again…'}
    </p>
  );
}

/** Holds the announcements and toasts of a page. */
export function LiveRegion() {
  const [text, setText] = useState('');
  const [shown, setShown] = useState({ text: '' });
  useEffect(() => {
    say = (next, isShown) => {
      // A screen reader does not read the same text twice in a row.
      setText((last) => (last === next ? `${next}\u00a0` : next));
      if (isShown) setShown({ text: next });
    };
  }, []);
  useUntil([shown], (signal) => shown.text !== '' && later(TOAST_MS, signal, () => setShown({ text: '' })));
  return (
    <>
      <p class="unseen" role="status">
        {text}
      </p>
      <p class="toast" aria-hidden="true">
        {shown.text}
      </p>
    </>
  );
}
