import { useEffect, useRef, useState } from 'preact/hooks';
import { keep, kept } from '../storage.js';

const WIDTH_KEY = 'mayfly-list-width';

/** Limits of the list's width in pixels. Even the narrowest list shows a sender and a code. */
const MIN_WIDTH = 240;
const MAX_WIDTH = 800;

const STEP = 24;

/**
 * Resizes the list by the mouse or the arrow keys; a double click resets the width. The divider comes after the email
 * in the document, which saves a Tab press between list and email.
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
