import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useUntil } from './ui/until.js';

/** The display options of an email. They stay while the user goes from inbox to inbox. */
const VIEW = ['tab', 'width', 'scheme', 'styles'] as const;

/** The parameters of the query. None loads remote images, because a link must not turn on tracking. */
const PARAMETERS = [...VIEW, 'q', 'outcome', 'file', 'log'] as const;

/** Maximum length of a parameter, and of a search of all mail. */
export const MAX_LENGTH = 200;

/** The paths of the page. The service answers all other paths itself. */
const PAGES = /^\/(?:all|inbox\/[^/]*|run\/[^/]*)?$/;

/** The pages that show emails. */
const MAIL = /^\/(?:$|all$|inbox\/|run\/)/;

/** Safari allows 100 changes of the history in 10 s, and a held arrow key changes the URL 30 times a second. */
const GAP_MS = 250;

export type Query = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>;

/** The state of the page. */
export interface Url {
  readonly path: string;
  readonly query: Query;
  /** Without the `#`. */
  readonly fragment: string;
}

/** What Back restores, apart from the URL. */
interface Place {
  /** How far the report of a run was scrolled, in pixels. */
  readonly top: number;
  /** The first visible row of the list, and how much of it was scrolled away; null at the top of the list. */
  readonly row: { readonly key: string; readonly receivedAt: number; readonly offset: number } | null;
  /** Whether the previous entry of the history is the same page without the choice of an email. */
  readonly isInner: boolean;
}

const TOP: Place = { top: 0, row: null, isInner: false };

let url = read(location);
let place = placeIn(history.state);
let view = viewOf(url.query);
let timer: ReturnType<typeof setTimeout> | undefined;
let isLate = false;

history.scrollRestoration = 'manual';
addEventListener('popstate', () => {
  settle();
  url = read(location);
  place = placeIn(history.state);
  dispatchEvent(new Event('url'));
});
addEventListener('pagehide', finish);
addEventListener('click', follow);

/** The URL of the page, as state. */
export function useUrl(): Url {
  const [, redraw] = useState(url);
  useUntil([], (signal) => {
    const look = () => redraw(url);
    addEventListener('url', look, { signal });
    look();
  });
  return url;
}

/** A parameter of the query, as state; empty without one. */
export function useQuery(name: keyof Query): [string, (value: string) => void] {
  return [useUrl().query[name] ?? '', (value) => change({ query: { [name]: value } })];
}

/** Changes parts of the URL. With `push`, Back undoes the change. */
export function change({ query, ...parts }: Partial<Url>, how: 'push' | 'replace' = 'replace'): void {
  if (how === 'push') finish();
  url = { ...url, ...parts, query: { ...url.query, ...query } };
  view = viewOf(url.query);
  // The old rows mean nothing to another search.
  if (query?.q !== undefined) place = { ...place, row: null };
  if (how === 'push') push({ ...place, isInner: true });
  else write();
  dispatchEvent(new Event('url'));
}

/** Undoes a `push`. Without one, changes the URL. Otherwise, Back would lead from the list to the same list. */
export function back(parts: Partial<Url>): void {
  const { isInner } = place;
  place = { ...place, isInner: false };
  if (isInner) history.back();
  else change(parts);
}

/** Opens another page. */
export function visit(href: string): void {
  finish();
  const { path, query, fragment } = read(new URL(href, location.href));
  url = { path, query: MAIL.test(path) ? { ...view, ...query } : query, fragment };
  push(TOP);
  scrollTo(0, 0);
  dispatchEvent(new Event('url'));
}

export function placeNow(): Place {
  return place;
}

export function keepPlace(part: Partial<Place>): void {
  place = { ...place, ...part };
  write();
}

/** Restores how far an element was scrolled, once it has its height, and after Back. */
export function useScrollPlace(element: RefObject<Element | null>, isReady: boolean): void {
  const restore = () => element.current?.scrollTo(0, place.top);
  useLayoutEffect(() => {
    if (isReady) restore();
  }, [isReady]);
  useUntil([isReady], (signal) => {
    if (!isReady) return;
    const keep = () => keepPlace({ top: element.current?.scrollTop ?? 0 });
    element.current?.addEventListener('scroll', keep, { passive: true, signal });
    addEventListener('popstate', () => requestAnimationFrame(restore), { signal });
  });
}

function read({ pathname, search, hash }: URL | Location): Url {
  const parameters = new URLSearchParams(search);
  const query = PARAMETERS.flatMap((name) => {
    const value = parameters.get(name);
    return value ? [[name, value.slice(0, MAX_LENGTH)] as const] : [];
  });
  return { path: pathname, query: Object.fromEntries(query), fragment: hash.slice(1) };
}

function viewOf(query: Query): Query {
  return Object.fromEntries(VIEW.map((name) => [name, query[name]]));
}

/** The place in an entry of the history. Another version of the page may have written the entry. */
function placeIn(state: unknown): Place {
  const { top, row, isInner } = (state ?? {}) as Partial<Place>;
  const isRow = typeof row?.key === 'string' && Number.isFinite(row.receivedAt) && Number.isFinite(row.offset);
  return {
    top: Number(top) || 0,
    row: isRow ? row : null,
    isInner: isInner === true,
  };
}

function href(): string {
  const query = new URLSearchParams();
  for (const name of PARAMETERS) if (url.query[name]) query.set(name, url.query[name]);
  // With the origin, because a path that starts with // would be a host.
  return `${location.origin}${url.path}${query.size === 0 ? '' : `?${query}`}${url.fragment && `#${url.fragment}`}`;
}

/** Writes the URL now; shortly after another change, a moment later. */
function write(): void {
  isLate = true;
  if (timer !== undefined) return;
  finish();
  timer = setTimeout(() => {
    timer = undefined;
    if (isLate) write();
  }, GAP_MS);
}

function finish(): void {
  if (isLate) history.replaceState(place, '', href());
  isLate = false;
}

function push(next: Place): void {
  settle();
  place = next;
  const to = href();
  if (to === location.href) history.replaceState(place, '', to);
  else history.pushState(place, '', to);
}

function settle(): void {
  clearTimeout(timer);
  timer = undefined;
  isLate = false;
}

/** The attributes of a link to another site, which opens in a new tab without access to this page. */
export const OUTSIDE = { target: '_blank', rel: 'noopener noreferrer' } as const;

/** Whether a click on a link opens it here, and not in a new tab or window. */
export function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
}

/** Opens links to pages without loading a document, so that Back finds the list as it was. */
function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || event.defaultPrevented || !isPlain(event)) return;
  if (link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (!PAGES.test(link.pathname)) return;
  event.preventDefault();
  visit(link.href);
}
