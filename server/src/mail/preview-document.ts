import { embeddedImages, type ImageSources } from './embedded-images.js';
import { findUrls } from './extract/text/urls.js';
import { outsideLink, sanitizeHtml } from './html/sanitize.js';
import { parseMessage } from './mime/parse.js';

/** Mail is written for white paper; what has colours of its own sets them. */
const HTML_STYLE =
  ':root{color-scheme:light;background:#fff}body{margin:16px;font-family:sans-serif;overflow-wrap:anywhere}';

const TEXT_STYLE =
  ':root{color-scheme:light dark}pre{margin:16px;font:15px/1.6 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}';

/** Those who have no mouse reach the document, and scroll it, also where it holds no link. */
const FOCUSABLE_BODY = '<body tabindex="0">';

/**
 * A message as a document for a browser: its HTML without whatever could act, or its text with links. Bounded and linear. HTTP's policy
 * makes it safe; this leaves that nothing to do: beside its links the document names no address of others, unless `images` lets it.
 */
export function previewDocument(raw: Uint8Array, images: ImageSources): string {
  const { subject, text, html } = parseMessage(raw);
  const hasHtml = html !== null && html.trim() !== '';
  const [style, body] = hasHtml
    ? [HTML_STYLE, sanitizeHtml(html, embeddedImages(raw, images))]
    : [TEXT_STYLE, `<pre>${linked(text ?? '')}</pre>`];
  return `<!doctype html><meta charset="utf-8"><title>${escapeText(subject)}</title><style>${style}</style>${FOCUSABLE_BODY}${body}`;
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
