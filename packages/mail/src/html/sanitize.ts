import { decodeHTMLAttribute } from 'entities/decode';
import { type LoadedAddress, rewriteCss } from './css.js';
import { HtmlScanner } from './scan.js';
import type { Tag } from './tag.js';
import type { ColorScheme } from './written-css.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/**
 * The kept elements. Any other element loses its tags but keeps its text. Not kept are elements that load, run, refresh
 * or submit (script, link, meta, base, iframe, object, form, …), and svg and math, which have other syntax rules.
 */
const KEPT_ELEMENTS = words(
  'a abbr acronym address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del dfn ' +
    'dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr html i img ins kbd li main mark nav ol p ' +
    'pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr',
);

/** Attributes for appearance and text. URLs are checked separately. */
const KEPT_ATTRIBUTES = [
  ...words(
    'align alt background bgcolor border cellpadding cellspacing class color cols colspan dir face height hidden',
  ),
  ...words('hspace id lang nowrap reversed role rowspan rules scope size span src start style summary title type'),
  ...words('valign value vspace width aria-hidden aria-label'),
  // Margins and colors of the body element.
  ...words('alink bottommargin leftmargin link marginheight marginwidth rightmargin text topmargin vlink'),
];

const STYLING: ReadonlySet<string> = words('class style');

const KEPT_SCHEMES = /^(?:https?|mailto|tel):/i;

/** Characters that browsers remove before they read a URL's scheme (URL Standard, section 4.4). */
const LEFT_OUT_OF_URLS = /[\t\n\r]/g;

/** Matches a value of `color-scheme`: names and blanks. */
const SCHEMES = /^[a-z -]{1,64}$/i;

const IMAGE_ATTRIBUTES: ReadonlySet<string> = new Set(['src', 'background']);

export interface Rewriting {
  readonly image: LoadedAddress;
  /** `none` simulates mail programs that remove styles. */
  readonly styles: 'kept' | 'none';
  /** The color scheme to display; null for the browser's. */
  readonly scheme: ColorScheme | null;
}

/**
 * Rewrites untrusted HTML so that only passive elements and attributes remain, in linear time. Escapes everything that
 * is not parsed as a kept tag. `image` decides which images load; the only other URLs that remain are those of links.
 */
export function sanitizeHtml(html: string, how: Rewriting): string {
  // Tags that load images are not cached, because every use of an image counts towards the size limit.
  const scanner = new HtmlScanner(html, (tag) => (mayLoad(tag) ? tag : openingTag(tag, how)));
  const written: string[] = [];
  for (let token = scanner.next(); token !== 'end'; token = scanner.next()) {
    if (token === 'text') written.push(escapeText(html.slice(scanner.start, scanner.end)));
    else if (token === 'open') written.push(writtenTag(scanner.meaning, how));
    else if (KEPT_ELEMENTS.has(scanner.name)) written.push(`</${scanner.name}>`);
    if (token === 'open' && scanner.name === 'style' && how.styles === 'kept')
      written.push(`${rewriteCss(scanner.rawContent(), how.image, how.scheme)}</style>`);
  }
  return written.join('');
}

/** Keeps character references. Escapes a lone `<`, which could form a tag with the text after a removed tag. */
function escapeText(text: string): string {
  return text.replaceAll('<', '&lt;');
}

function mayLoad(tag: Tag): boolean {
  if (tag.attribute('style')?.includes('(')) return true;
  return [...IMAGE_ATTRIBUTES].some((name) => tag.attribute(name) !== null);
}

function writtenTag(tag: Tag | string, how: Rewriting): string {
  return typeof tag === 'string' ? tag : openingTag(tag, how);
}

function openingTag(tag: Tag, how: Rewriting): string {
  const { name } = tag;
  if (name === 'style') return how.styles === 'kept' ? styleTag(tag, how) : '';
  if (name === 'meta') return how.styles === 'kept' ? supportedSchemes(tag, how) : '';
  if (!KEPT_ELEMENTS.has(name)) return '';
  let attributes = name === 'a' ? linkAttributes(tag.attribute('href')) : '';
  for (const attribute of KEPT_ATTRIBUTES) {
    if (how.styles === 'none' && STYLING.has(attribute)) continue;
    const written = tag.attribute(attribute);
    const value = written === null ? null : keptValue(attribute, decodeHTMLAttribute(written), how);
    if (value !== null) attributes += ` ${attribute}="${escapeAttribute(value)}"`;
  }
  return `<${name}${attributes}>`;
}

function styleTag(tag: Tag, { image, scheme }: Rewriting): string {
  const media = decodeHTMLAttribute(tag.attribute('media') ?? '').trim();
  return media === '' ? '<style>' : `<style media="${escapeAttribute(rewriteCss(media, image, scheme))}">`;
}

/** Replaces `<meta name="color-scheme">` with a style sheet, because a meta element can redirect the page. */
function supportedSchemes(tag: Tag, { image, scheme }: Rewriting): string {
  if (tag.attribute('name')?.trim().toLowerCase() !== 'color-scheme') return '';
  const content = decodeHTMLAttribute(tag.attribute('content') ?? '').trim();
  if (!SCHEMES.test(content)) return '';
  return `<style>${rewriteCss(`:root{color-scheme:${content}}`, image, scheme)}</style>`;
}

function keptValue(attribute: string, value: string, { image, scheme }: Rewriting): string | null {
  if (IMAGE_ATTRIBUTES.has(attribute)) return image(addressIn(value));
  return attribute === 'style' ? rewriteCss(value, image, scheme) : value;
}

function addressIn(value: string): string {
  return value.replace(LEFT_OUT_OF_URLS, '').trim();
}

/** Opens links in a new tab, without access to the preview. */
function linkAttributes(written: string | null): string {
  const href = addressIn(decodeHTMLAttribute(written ?? ''));
  return KEPT_SCHEMES.test(href) ? outsideLink(href) : '';
}

export function outsideLink(href: string): string {
  return ` href="${escapeAttribute(href)}" target="_blank" rel="noopener noreferrer"`;
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
