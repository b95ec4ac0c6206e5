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
 * Selects light colors, because senders who set no background assume a white one. The email's rules override this
 * style. Sets no background for the root, so that browsers paint the body's background on the whole page.
 */
const HTML_STYLE = ':where(:root){color-scheme:light}:where(body){font-family:sans-serif}';

const TEXT_STYLE = 'pre{margin:16px;font:15px/1.6 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}';

const DOCTYPE = '<!doctype html>';

/** A doctype for "limited quirks mode", in which browsers leave no gap below an image in a table cell. */
const TRANSITIONAL = '<!doctype html public "-//W3C//DTD XHTML 1.0 Transitional//EN">';

/** Matches doctypes that select limited quirks mode. A short text may precede them. */
const ASKS_FOR_TRANSITIONAL =
  /^[^<]{0,200}<!doctype html public ["']-\/\/w3c\/\/dtd (?:html 4\.01|xhtml 1\.0) (?:transitional|frameset)\/\//i;

/** Lets keyboard users focus and scroll a document without links. */
const FOCUSABLE_BODY = '<body tabindex="0">';

export interface Preview {
  readonly images: ImageSources;
  readonly styles: 'kept' | 'none';
  /** The color scheme; null for the browser's. */
  readonly scheme: ColorScheme | null;
}

/**
 * Renders a message as an HTML document: its HTML without active content, or its text with links. Bounded size, linear
 * time. The response's Content-Security-Policy alone makes the document safe. In addition, the document contains no
 * external URL outside of links unless `images` allows that.
 */
export function previewDocument(raw: Uint8Array, { images, styles, scheme }: Preview): string {
  const { subject, text, html } = parseMessage(raw);
  const hasHtml = html !== null && html.trim() !== '';
  const doctype = ASKS_FOR_TRANSITIONAL.test(html ?? '') ? TRANSITIONAL : DOCTYPE;
  const [style, body] = hasHtml
    ? [HTML_STYLE, sanitizeHtml(html, { image: embeddedImages(raw, images), styles, scheme })]
    : [`:root{color-scheme:${scheme ?? 'light dark'}}${TEXT_STYLE}`, `<pre dir="auto">${linked(text ?? '')}</pre>`];
  return `${doctype}<meta charset="utf-8"><title>${escapeText(subject)}</title><style>${style}</style>${FOCUSABLE_BODY}${body}`;
}

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

/** Image types that every browser supports and that cannot run code. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/webp']);

/** Limit for all images of a document in total. Counts every use of an image. Further images are dropped. */
const MAX_IMAGE_CHARS = 8 * 1024 * 1024;

/** Matches web URLs with a host. A relative URL is dropped, because a browser would request it from this service. */
const REMOTE = /^(?:https?:)?\/\//i;

/** `inside` allows only embedded images. `remote` also allows web images, whose hosts learn that the email was read. */
export type ImageSources = 'inside' | 'remote';

/** Replaces `cid:` URLs (RFC 2392) with `data:` URLs of the embedded images, so that they need no request. */
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
      // Content this long would exceed the limit in any transfer encoding.
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
