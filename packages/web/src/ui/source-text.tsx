import type { ComponentChildren, RefObject, TargetedEvent } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MAX_LENGTH } from '../url.js';
import { Button } from './button.js';
import { KINDS, originalAt, type Shown, shownAt } from './highlight.js';
import { Scroll } from './scroll.js';
import { useUntil } from './until.js';
import { patternOf } from './visible.js';

/** A text is shown in blocks of 40 lines or 4,000 characters. Only those near the window are laid out and highlighted. */
const BLOCK = /(?:[^\n]{0,100}\n?){1,40}/gu;

/** The beginnings and ends of ranges of a text, in turn. They are in order, and do not overlap. */
type Ranges = readonly number[];

/** Tags of HTML that have something in common. */
export interface Marked {
  readonly name: string;
  /** In the original. */
  readonly places: readonly number[];
}

interface SourceTextProps {
  readonly label: string;
  readonly shown: Shown;
  /** The words of the list's search, which are marked while the text itself is not searched. */
  readonly words: readonly string[];
  readonly marked?: Marked | null;
  /** Shown next to the search. */
  readonly children: ComponentChildren;
}

/** A text with a search. Marks are ranges and not elements, because thousands of elements would freeze the browser. */
export function SourceText({ label, shown, words, marked = null, children }: SourceTextProps) {
  const pre = useRef<HTMLPreElement>(null);
  const [typed, setTyped] = useState('');
  const marks = typed === '' ? marked : null;
  const pattern = patternOf(typed === '' ? words : [typed]);
  const matches = useMemo(
    () => (marks === null ? wordsIn(shown.text, pattern) : tagsIn(shown, marks)),
    [shown, pattern, marks],
  );
  const [current, setCurrent] = useState(-1);
  const blocks = useMemo(() => blocksOf(shown.text), [shown]);
  useEffect(() => {
    if (marked === null) return;
    setTyped('');
    pre.current?.parentElement?.focus({ preventScroll: true });
  }, [marked]);
  // The list's search does not scroll the text.
  useEffect(() => setCurrent(typed === '' && marks === null ? -1 : 0), [matches, typed]);
  useHighlights(pre, shown.tokens, blocks, matches, current);
  const count = matches.length / 2;
  const step = (by: number) => count > 0 && setCurrent((Math.max(current, by < 0 ? 0 : -1) + by + count) % count);
  const text = useMemo(() => blocks.map(({ text, from }) => <span key={from}>{text}</span>), [blocks]);
  return (
    <>
      <div class="panel-actions flow">
        {children}
        <span class="find panel-end bar gap-0">
          <span class="soft text-13 digits" role="status">
            {marks !== null && `${marks.name}: `}
            {(typed !== '' || marks !== null || words.length > 0) && countOf(current, count)}
          </span>
          <input
            type="search"
            aria-label={`Find in ${label}`}
            placeholder="Find"
            maxLength={MAX_LENGTH}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={({ key, shiftKey }) => key === 'Enter' && step(shiftKey ? -1 : 1)}
          />
          <Button class="button-quiet button-small" text="↑" aria-label="Previous match" onClick={() => step(-1)} />
          <Button class="button-quiet button-small" text="↓" aria-label="Next match" onClick={() => step(1)} />
        </span>
      </div>
      <Scroll label={label}>
        <pre ref={pre} class="source" onCopy={(event) => copyOriginal(event, shown)}>
          {text}
        </pre>
      </Scroll>
    </>
  );
}

/** Puts what the sender wrote on the clipboard, instead of what the page shows of it. */
function copyOriginal(event: TargetedEvent<HTMLPreElement, ClipboardEvent>, shown: Shown): void {
  const selected = getSelection()?.getRangeAt(0);
  if (!event.currentTarget.contains(selected?.commonAncestorContainer ?? null)) return;
  const before = document.createRange();
  before.setStart(event.currentTarget, 0);
  before.setEnd(selected?.startContainer as Node, selected?.startOffset ?? 0);
  const from = `${before}`.length;
  const [start, end] = [from, from + `${selected}`.length].map((place) => originalAt(shown, place));
  event.clipboardData?.setData('text/plain', shown.original.slice(start, end));
  event.preventDefault();
}

function countOf(current: number, count: number): string {
  if (count === 0) return 'No match';
  return current < 0
    ? `${count.toLocaleString()} found`
    : `${(current + 1).toLocaleString()} of ${count.toLocaleString()}`;
}

interface Block {
  readonly from: number;
  readonly text: string;
}

function blocksOf(text: string): readonly Block[] {
  let from = 0;
  return (text.match(BLOCK) ?? []).flatMap((part) => {
    from += part.length;
    return part === '' ? [] : { from: from - part.length, text: part };
  });
}

function wordsIn(text: string, pattern: string): Ranges {
  if (pattern === '') return [];
  return [...text.matchAll(new RegExp(pattern, 'giu'))].flatMap(({ index, 0: { length } }) => [index, index + length]);
}

function tagsIn({ map, tokens }: Shown, { places }: Marked): Ranges {
  return places.flatMap((place) => {
    const first = firstFrom(tokens, 3, shownAt(map, place) + 1);
    // The tag ends with the next token that is not the value of an attribute.
    let last = first + 3;
    while (KINDS[tokens[last + 2] ?? 0] === 'value') last += 3;
    return last < tokens.length ? [tokens[first] as number, tokens[last + 1] as number] : [];
  });
}

/** The index of the first range that ends at or after a position. A range is the first two of `step` numbers. */
function firstFrom(ranges: Ranges, step: number, position: number): number {
  let [low, high] = [0, ranges.length / step];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle * step + 1] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low * step;
}

/** The CSS highlights. Each covers those before it. Firefox before 140 has none, and shows the text without colors. */
const HIGHLIGHTS = [...KINDS, 'found', 'current'].flatMap((name, priority) => {
  if (!('highlights' in CSS)) return [];
  const highlight = Object.assign(new Highlight(), { priority });
  CSS.highlights.set(name, highlight);
  return highlight;
});

const FOUND = KINDS.length;

function useHighlights(
  pre: RefObject<HTMLPreElement | null>,
  tokens: Ranges,
  blocks: readonly Block[],
  matches: Ranges,
  current: number,
): void {
  const [near, setNear] = useState<ReadonlySet<Element>>(new Set());
  useUntil([blocks], (signal) => {
    const look = (entries: readonly IntersectionObserverEntry[]) =>
      setNear((before) => {
        const after = new Set(before);
        for (const { target, isIntersecting } of entries) after[isIntersecting ? 'add' : 'delete'](target);
        return after;
      });
    const observer = new IntersectionObserver(look, {
      root: pre.current?.parentElement ?? null,
      rootMargin: '50% 0px',
    });
    for (const element of pre.current?.children ?? []) observer.observe(element);
    signal.addEventListener('abort', () => observer.disconnect());
  });
  useLayoutEffect(() => {
    const added: (readonly [Highlight | undefined, StaticRange])[] = [];
    for (const [at, block] of blocks.entries()) {
      const element = pre.current?.children[at];
      if (element === undefined || !near.has(element)) continue;
      const addAll = (ranges: Ranges, step: number, layer: (at: number) => number) => {
        const end = block.from + block.text.length;
        for (let at = firstFrom(ranges, step, block.from + 1); (ranges[at] ?? end) < end; at += step)
          added.push([HIGHLIGHTS[layer(at)], rangeIn(element, block, ranges[at] ?? 0, ranges[at + 1] ?? 0)]);
      };
      addAll(tokens, 3, (at) => tokens[at + 2] ?? 0);
      addAll(matches, 2, (at) => FOUND + Number(at === 2 * current));
    }
    for (const [highlight, range] of added) highlight?.add(range);
    return () => {
      for (const [highlight, range] of added) highlight?.delete(range);
    };
  }, [near, matches, current]);
  useEffect(() => {
    const from = matches[2 * current];
    if (from === undefined) return;
    const at = blocks.findLastIndex((block) => block.from <= from);
    const [element, block] = [pre.current?.children[at], blocks[at]];
    if (element instanceof HTMLElement && block !== undefined) reveal(element, rangeIn(element, block, from, from + 1));
  }, [matches, current]);
}

function rangeIn({ firstChild }: Element, { from: start, text }: Block, from: number, to: number): StaticRange {
  const node = firstChild as Text;
  const [startOffset, endOffset] = [Math.max(from - start, 0), Math.min(to - start, text.length)];
  return new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset });
}

/** Scrolls to a range of a block, unless it is in view. */
function reveal(block: HTMLElement, { startContainer, startOffset, endOffset }: StaticRange): void {
  const view = block.closest('[data-scrolls]')?.getBoundingClientRect();
  if (view === undefined) return;
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(startContainer, endOffset);
  const { top, bottom } = range.getBoundingClientRect();
  if (top >= Math.max(view.top, 0) && bottom <= Math.min(view.bottom, innerHeight)) return;
  // Scrolls the range, instead of the beginning of its block, to a third of the height.
  block.style.scrollMarginTop = `${view.height / 3 - (top - block.getBoundingClientRect().top)}px`;
  block.scrollIntoView({ block: 'start' });
  block.style.scrollMarginTop = '';
}
