import { findUrls } from './extract/text/urls.js';
import type { LoadedAddress } from './html/css.js';
import { outsideLink, sanitizeHtml } from './html/sanitize.js';
import type { ColorScheme } from './html/written-css.js';
import { messageBytes } from './mime/line-ends.js';
import { parseMessage } from './mime/parse.js';
import { portionDecoder, portionsOf } from './mime/portions.js';
import { percentDecoded } from './mime/structured-field.js';
import { type WalkedPart, walk } from './mime/walk.js';

/**
 * Mail is written for white paper; what has colours of its own sets them. Nothing of it outweighs the mail's own rules,
 * and the root has no background: only then a browser paints that of the body on all of the canvas.
 */
const HTML_STYLE = ':where(:root){color-scheme:light}:where(body){font-family:sans-serif}';

const TEXT_STYLE = 'pre{margin:16px;font:15px/1.6 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}';

const DOCTYPE = '<!doctype html>';

/** With it, browsers leave no room for letters below an image in a table's cell ("limited quirks"). */
const TRANSITIONAL = '<!doctype html public "-//W3C//DTD XHTML 1.0 Transitional//EN">';

/** The beginning of a document whose author asks for that; what comes before counts as far as it is short. */
const ASKS_FOR_TRANSITIONAL =
  /^[^<]{0,200}<!doctype html public ["']-\/\/w3c\/\/dtd (?:html 4\.01|xhtml 1\.0) (?:transitional|frameset)\/\//i;

/** Those who have no mouse reach the document, and scroll it, also where it holds no link. */
const FOCUSABLE_BODY = '<body tabindex="0">';

/** How a message is shown. */
export interface Preview {
  readonly images: ImageSources;
  readonly styles: 'kept' | 'none';
  /** The color scheme of the reader; null for that of the browser. */
  readonly scheme: ColorScheme | null;
}

/**
 * A message as a document for a browser: its HTML without whatever could act, or its text with links. Bounded and
 * linear. HTTP's policy makes it safe; this leaves that nothing to do: beside its links the document names no address
 * of others, unless `images` lets it.
 */
export function previewDocument(raw: Uint8Array, { images, styles, scheme }: Preview): string {
  const { subject, text, html } = parseMessage(raw);
  const hasHtml = html !== null && html.trim() !== '';
  const doctype = ASKS_FOR_TRANSITIONAL.test(html ?? '') ? TRANSITIONAL : DOCTYPE;
  const [style, body] = hasHtml
    ? [HTML_STYLE, sanitizeHtml(html, { image: embeddedImages(raw, images), styles, scheme })]
    : [`:root{color-scheme:${scheme ?? 'light dark'}}${TEXT_STYLE}`, `<pre>${linked(text ?? '')}</pre>`];
  return `${doctype}<meta charset="utf-8"><title>${escapeText(subject)}</title><style>${style}</style>${FOCUSABLE_BODY}${body}`;
}

/** A text as HTML, its web addresses as links. */
function linked(text: string): string {
  const written: string[] = [];
  let end = 0;
  for (const link of findUrls(text, 'wrapped')) {
    written.push(escapeText(text.slice(end, link.start)));
    written.push(`<a${outsideLink(link.url)}>${escapeText(text.slice(link.start, link.end))}</a>`);
    end = link.end;
  }
  return written.join('') + escapeText(text.slice(end));
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Images that every browser shows and that are nothing but images. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/webp']);

/** Characters of all images of a document together, repeated ones counted again: further images are not shown. */
const MAX_IMAGE_CHARS = 8 * 1024 * 1024;

/** An address of the web. Any other that is no data leads into this service itself. */
const REMOTE = /^(?:https?:)?\/\//i;

/** Whose images a preview may load: the mail's own, or strangers' too, who learn that the mail was read. */
export type ImageSources = 'inside' | 'remote';

/**
 * Gives a document the images of its message, by Content-ID (`cid:`, RFC 2392) or in `data:` addresses, as data:
 * without a further request or key, and referring to nothing.
 */
function embeddedImages(raw: Uint8Array, sources: ImageSources): LoadedAddress {
  let parts: ReadonlyMap<string, WalkedPart> | null = null;
  let charsLeft = MAX_IMAGE_CHARS;
  const made = new Map<WalkedPart, string>();
  const dataOf = (part: WalkedPart) => {
    const data = made.get(part) ?? dataAddress(part);
    made.set(part, data);
    return data;
  };
  return (address) => {
    const [scheme = ''] = /^[a-z]{1,8}:/i.exec(address) ?? [];
    if (scheme.toLowerCase() === 'cid:') {
      parts ??= imageParts(raw);
      const part = parts.get(percentDecoded(address.slice(scheme.length)));
      // What is too large encoded needs no decoding.
      if (part === undefined || part.content.length > charsLeft * 2) return null;
      const data = dataOf(part);
      if (data.length > charsLeft) return null;
      charsLeft -= data.length;
      return data;
    }
    if (scheme.toLowerCase() === 'data:') return address;
    return sources === 'remote' && REMOTE.test(address) ? address : null;
  };
}

function imageParts(raw: Uint8Array): Map<string, WalkedPart> {
  const parts = new Map<string, WalkedPart>();
  walk(messageBytes(raw), (part) => {
    const { contentId, mediaType } = part.header;
    if (contentId !== null && IMAGE_TYPES.has(mediaType) && !parts.has(contentId)) parts.set(contentId, part);
  });
  return parts;
}

function dataAddress({ header, content }: WalkedPart): string {
  const decode = portionDecoder(header.transferEncoding);
  const bytes = Buffer.concat([...portionsOf(content)].map(decode));
  return `data:${header.mediaType};base64,${bytes.toString('base64')}`;
}
