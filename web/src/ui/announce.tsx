import { useEffect, useState } from 'preact/hooks';

let say: (text: string) => void = () => {};

/** Has a text read to those who listen to the page instead of seeing it. */
export function announce(text: string): void {
  say(text);
}

/** Where announcements are read from. There is one in a page. */
export function LiveRegion() {
  const [text, setText] = useState('');
  useEffect(() => {
    // A text that is the same as the one before would not be read again.
    say = (next) => setText((last) => (last === next ? `${next}\u00a0` : next));
    return () => {
      say = () => {};
    };
  }, []);
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}
