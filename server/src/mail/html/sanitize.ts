import { decodeAttribute } from './entities.js';
import { HtmlScanner } from './scan.js';
import type { Tag } from './tag.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/**
 * Elements that a preview keeps. Of all others the tags go and their text stays. Missing are those that load, run, refresh
 * or submit something (script, link, meta, base, iframe, object, form, …), and svg and math, in which a browser reads the
 * same characters by other rules.
 */
const KEPT_ELEMENTS = words(
  'a abbr acronym address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del dfn ' +
    'dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr html i img ins kbd li main mark nav ol p ' +
    'pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr',
);

/** Attributes that a preview keeps: how something looks, and what it says. Addresses are looked at one by one. */
const KEPT_ATTRIBUTES = [
  ...words(
    'align alt background bgcolor border cellpadding cellspacing class color cols colspan dir face height hidden',
  ),
  ...words('hspace id lang nowrap reversed role rowspan rules scope size span src start style summary title type'),
  ...words('valign value vspace width aria-hidden aria-label'),
];

/** What a link of a preview may open. */
const KEPT_SCHEMES = /^(?:https?|mailto|tel):/i;

/** Browsers leave these out of an address before they read its scheme (WHATWG URL, section 4.4). */
const LEFT_OUT_OF_URLS = /[\t\n\r]/g;

/**
 * HTML of a stranger, written anew from what a scanner reads in it: only elements and attributes that are known to do
 * nothing. Linear, and the scanner's reading is the only one, for what it does not take for a kept tag leaves this function
 * escaped. What images and styles may load is up to the policy that the document is served with.
 */
export function sanitizeHtml(html: string): string {
  const scanner = new HtmlScanner(html, openingTag);
  const written: string[] = [];
  for (let token = scanner.next(); token !== 'end'; token = scanner.next()) {
    if (token === 'text') written.push(escapeText(html.slice(scanner.start, scanner.end)));
    else if (token === 'open') written.push(scanner.meaning);
    else if (KEPT_ELEMENTS.has(scanner.name)) written.push(`</${scanner.name}>`);
    if (token === 'open' && scanner.name === 'style') written.push(`${scanner.rawContent()}</style>`);
  }
  return written.join('');
}

/**
 * Text with its character references, which stay as they are. A lone `<` in front of a tag that was left out would begin a tag
 * together with the text behind that one.
 */
function escapeText(text: string): string {
  return text.replaceAll('<', '&lt;');
}

/** An opening tag, written anew; `""` for one that is not kept. */
function openingTag(tag: Tag): string {
  const { name } = tag;
  if (name === 'style') return '<style>';
  if (!KEPT_ELEMENTS.has(name)) return '';
  let attributes = name === 'a' ? linkAttributes(tag.attribute('href')) : '';
  for (const attribute of KEPT_ATTRIBUTES) {
    const value = tag.attribute(attribute);
    if (value !== null) attributes += ` ${attribute}="${escapeAttribute(decodeAttribute(value))}"`;
  }
  return `<${name}${attributes}>`;
}

/** A link opens in a tab of its own, which learns nothing of the preview. */
function linkAttributes(written: string | null): string {
  const href = decodeAttribute(written ?? '')
    .replace(LEFT_OUT_OF_URLS, '')
    .trim();
  return KEPT_SCHEMES.test(href) ? outsideLink(href) : '';
}

/** The attributes of a link that leaves the preview. */
export function outsideLink(href: string): string {
  return ` href="${escapeAttribute(href)}" target="_blank" rel="noopener noreferrer"`;
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
