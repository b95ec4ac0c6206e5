import { useEffect, useRef, useState } from 'preact/hooks';
import { keep, kept } from '../storage.js';

/** Where this browser keeps how wide the list is, in CSS pixels. */
const WIDTH_KEY = 'mayfly-list-width';

/** The list keeps a sender and a code in sight, and the mail half of a small window. */
const MIN_WIDTH = 240;
const MAX_WIDTH = 800;

/** How far an arrow key moves it. */
const STEP = 24;

/**
 * Between list and mail, moved with the mouse or the arrow keys. A double click gives the width back to the window. It
 * stands behind the mail in the document, so that the way from the list to the mail is a Tab press shorter.
 */
export function PaneDivider() {
  const divider = useRef<HTMLHRElement>(null);
  const [width, setWidth] = useState(keptWidth);
  const [now, setNow] = useState(MIN_WIDTH);
  useEffect(() => {
    const panes = divider.current?.parentElement;
    if (width === null) panes?.style.removeProperty('--list-width');
    else panes?.style.setProperty('--list-width', `${width}px`);
    keep('localStorage', WIDTH_KEY, width === null ? '' : String(width));
    setNow(Math.round(shown()));
  }, [width]);
  const shown = () => divider.current?.parentElement?.firstElementChild?.getBoundingClientRect().width ?? MIN_WIDTH;
  const move = (to: number) => setWidth(Math.round(Math.min(Math.max(to, MIN_WIDTH), MAX_WIDTH)));
  const press = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -STEP, ArrowRight: STEP };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(shown() + step);
  };
  return (
    <hr
      ref={divider}
      class="pane-divider"
      aria-label="Width of the list"
      aria-orientation="vertical"
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      aria-valuenow={now}
      tabIndex={0}
      onKeyDown={press}
      onDblClick={() => setWidth(null)}
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        if (currentTarget.hasPointerCapture(pointerId)) move(clientX);
      }}
    />
  );
}

function keptWidth(): number | null {
  const width = Number(kept('localStorage', WIDTH_KEY));
  return width >= MIN_WIDTH && width <= MAX_WIDTH ? width : null;
}
