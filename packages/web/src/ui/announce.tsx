import { useEffect, useState } from 'preact/hooks';
import { later, useUntil } from './until.js';

/** How long a message stays that is shown for a moment. */
const TOAST_MS = 3_000;

let say: (text: string) => void = () => {};
let show: (text: string) => void = () => {};

/** Has a screen reader read a text. */
export function announce(text: string): void {
  say(text);
}

/** The same, and shows it for a moment: for what would otherwise be done without a sign. */
export function toast(text: string): void {
  say(text);
  show(text);
}

/** Where announcements are read from, and toasts are seen. There is one in a page. */
export function LiveRegion() {
  const [text, setText] = useState('');
  const [shown, setShown] = useState({ text: '' });
  useEffect(() => {
    // A text that is the same as the one before would not be read again.
    say = (next) => setText((last) => (last === next ? `${next}\u00a0` : next));
    show = (next) => setShown({ text: next });
    return () => {
      say = () => {};
      show = () => {};
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
