/** Checks of what is visible, which run in the page. */
import type { Page } from '@playwright/test';

const CONTROLS = 'a[href], button, input, select, textarea, summary';

/** Controls that have no tab stop because a key does the same: the arrow keys, or c, o and n. */
const OF_KEYS = '[role=toolbar] *, [role=tablist] *, .list .row *, .row-found *, .new-mail';

/** Regions that scroll sideways by design: on a phone, rows of tabs and files; a preview that is wider than the window. */
const SIDEWAYS = '.tabs, .attachment-list, .frame-box';

/** The controls that a user can see and use. An open dialog or menu covers the others. */
function controls(): HTMLElement[] {
  const scope = document.querySelector('dialog:modal') ?? document.querySelector(':popover-open') ?? document;
  return [...scope.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && one.closest('[inert], .undo') === null,
  );
}

/** What the pointer hits: the label of a field, otherwise the control itself. */
function targetOf(control: HTMLElement): Element {
  return control.closest('label') ?? control;
}

function named(one: Element): string {
  const words = `${one.tagName} ${one.className} ${one.ariaLabel ?? one.textContent}`;
  return words.replace(/\s+/g, ' ').slice(0, 90);
}

function isHit(target: Element, x: number, y: number): boolean {
  const hit = document.elementFromPoint(x, y);
  // The chips of a row are on top of its link, and the offer of undo passes.
  const isOver = hit?.closest('.undo, .row-found') !== null && target.matches('.row-open');
  return hit !== null && (target.contains(hit) || isOver);
}

/** Whether the words of a control go beyond it. Invisible areas for fingers may. */
function isSpilling(target: Element): boolean {
  const isVisible = getComputedStyle(target).overflowX === 'visible';
  const isBox = target.clientWidth > 0 && getComputedStyle(target, '::after').position !== 'absolute';
  return isVisible && isBox && target.scrollWidth > target.clientWidth + 1;
}

/** Finds controls of which an edge is covered, cut off or outside of the window, even after scrolling. */
function cut(): string[] {
  return controls().flatMap((control) => {
    const target = targetOf(control);
    target.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    // A link in a text may have several lines.
    const [{ left, right, top, bottom } = target.getBoundingClientRect()] = target.getClientRects();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const points = [
      [x, y],
      [left + 3, y],
      [right - 3, y],
      [x, top + 3],
      [x, bottom - 3],
    ] as const;
    return points.every(([x, y]) => isHit(target, x, y)) && !isSpilling(target) ? [] : [named(target)];
  });
}

/** Finds elements that are wider than their room. */
function wide(): string[] {
  const isWide = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth + 1;
  const scrolls = (one: Element) => /auto|scroll/.test(getComputedStyle(one).overflowX) && !one.matches(SIDEWAYS);
  const all = [...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility() && scrolls(one));
  return [document.documentElement, ...all].filter(isWide).map(named);
}

/** Finds targets that a finger of this size does not hit. Links in a text are as high as its lines. */
function small(px: number): string[] {
  return controls().flatMap((control) => {
    const target = targetOf(control);
    if (control.matches('a') && getComputedStyle(control).display === 'inline') return [];
    target.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const { left, top, width, height } = target.getBoundingClientRect();
    // The target may be larger than its box.
    const reach = (byX: number, byY: number) => {
      let steps = 0.5;
      while (steps < px && isHit(target, left + width / 2 + steps * byX, top + height / 2 + steps * byY)) steps += 1;
      return steps;
    };
    const size = [Math.max(width, reach(1, 0) + reach(-1, 0)), Math.max(height, reach(0, 1) + reach(0, -1))];
    return size.some((one) => one < px - 0.5) ? [`${named(target)} ${size.join(' x ')}`] : [];
  });
}

/** Finds what moves although the user prefers that nothing does. */
function moving(): string[] {
  const isTimed = (durations: string) => durations.split(', ').some((duration) => Number.parseFloat(duration) > 0);
  const moves = (one: Element) => {
    const { transitionDuration, animationDuration } = getComputedStyle(one);
    return isTimed(transitionDuration) || isTimed(animationDuration);
  };
  const running = document.getAnimations().filter(({ playState }) => playState === 'running');
  return [...running.map(String), ...[...document.querySelectorAll('*')].filter(moves).map(named)];
}

/**
 * Finds controls without a tab stop or another key, and controls whose focus cannot be seen. Browsers show the focus
 * after a key. Then returns the focus.
 */
function unfocused(): string[] {
  const found = controls().flatMap((control) => {
    control.focus();
    const isRinged = [control, targetOf(control)].some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
    });
    const isReached = control.tabIndex >= 0 || control.matches(OF_KEYS);
    const problems = { 'no focus': document.activeElement !== control, 'no ring': !isRinged, 'no key': !isReached };
    return Object.entries(problems).flatMap(([problem, is]) => (is ? [`${problem}: ${named(control)}`] : []));
  });
  (document.activeElement as HTMLElement | null)?.blur();
  tabs.before?.focus();
  return found;
}

/** The controls that Tab has not reached yet, and the element that had the focus before. */
const tabs = { left: new Set<Element>(), before: null as HTMLElement | null };

/** Begins to note which controls Tab reaches. Radio buttons share a tab stop. */
function beginTabs(): string[] {
  const isOther = (one: Element) => one.matches('[type=radio]:not(:checked)');
  tabs.left = new Set(controls().filter((one) => one.tabIndex >= 0 && !isOther(one)));
  tabs.before = document.activeElement as HTMLElement | null;
  addEventListener('focusin', ({ target }) => tabs.left.delete(target as Element));
  return unreached();
}

function unreached(): string[] {
  return [...tabs.left].filter((one) => one.isConnected).map(named);
}

const CHECKS = { cut, wide, small, moving, unfocused, beginTabs, unreached };

type Checks = typeof CHECKS;

const SOURCE = `(() => {
  const [CONTROLS, OF_KEYS, SIDEWAYS] = ${JSON.stringify([CONTROLS, OF_KEYS, SIDEWAYS])};
  const tabs = { left: new Set(), before: null };
  ${[controls, targetOf, named, isHit, isSpilling, ...Object.values(CHECKS)].join('\n')}
  window.checks = { ${Object.keys(CHECKS)} };
})()`;

/** Returns what a check finds. `small` takes the size of a finger in CSS pixels. */
export async function check(page: Page, name: keyof Checks, px = 0): Promise<string[]> {
  if (!(await page.evaluate(() => 'checks' in window))) await page.evaluate(SOURCE);
  return page.evaluate(([name, px]) => (window as unknown as { checks: Checks }).checks[name](px), [name, px] as const);
}
