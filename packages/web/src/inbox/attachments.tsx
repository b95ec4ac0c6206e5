import type { EmailParts, MimePart } from 'mayfly-client';
import type { PageApi } from 'mayfly-client/api';
import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { inboxApi } from '../service.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { SavedFile } from '../ui/saved-file.js';
import { Facts, Scroll } from '../ui/scroll.js';
import { Roving } from '../ui/tabs.js';
import { plural, sizeText } from '../ui/time.js';
import { Visible, writtenOut } from '../ui/visible.js';
import { Asked, useAnswer, useMail } from './answer.js';

/** Limited, because each thumbnail costs a request. */
const MAX_THUMBNAILS = 8;

export function Attachments({ parts }: { parts: EmailParts | null }) {
  const { mail } = useMail();
  const dialog = useRef<HTMLDialogElement>(null);
  const [viewed, setViewed] = useState<MimePart | null>(null);
  const attached = parts?.parts.filter(({ attachment }) => attachment) ?? [];
  if (parts === null && mail.attachments > 0) return <p class="attachments flow hint">Listing the attachments…</p>;
  if (attached.length === 0) return null;
  const total = attached.reduce((sum, { size }) => sum + (size ?? 0), 0);
  const pictured = attached.filter(hasThumbnail).slice(0, MAX_THUMBNAILS);
  const view = (part: MimePart) => {
    setViewed(part);
    dialog.current?.showModal();
  };
  return (
    <section class="attachments flow" aria-label="Attachments">
      <p class="hint">
        {plural(attached.length, 'attachment')}, {sizeText(total)}
      </p>
      <Roving class="attachment-list flow" label="Attachments">
        {attached.map((part) => (
          <span key={part.path} class="bar gap-4">
            {isViewable(part) && (
              <button
                type="button"
                class="attachment boxed bar text-14"
                aria-label={`View ${nameOf(part)}`}
                onClick={() => view(part)}
              >
                {pictured.includes(part) ? <Thumbnail part={part} /> : <Icon name="file" />}
                View
              </button>
            )}
            <Attachment part={part} />
          </span>
        ))}
      </Roving>
      <Dialog dialog={dialog} title={viewed === null ? 'Attachment' : nameOf(viewed)} closing="Close">
        {viewed !== null && <AttachmentView key={viewed.path} part={viewed} />}
      </Dialog>
    </section>
  );
}

function Attachment({ part }: { part: MimePart }) {
  const { inbox, mail } = useMail();
  const api = inboxApi(inbox);
  const size = sizeText(part.size ?? 0);
  return (
    <SavedFile
      class="attachment boxed bar text-14"
      href={api.partUrl(mail.key, part.path)}
      name={part.filename ?? `part-${part.path}`}
      fetch={() => api.part(mail.key, part.path)}
      inbox={inbox}
      label={`Download ${nameOf(part)} ${size}`}
    >
      <bdi class="attachment-name cut">{nameOf(part)}</bdi> <span class="soft">{size}</span>
      <Icon name="download" />
    </SavedFile>
  );
}

function nameOf({ filename, type, path }: MimePart): string {
  return filename ?? `${type}, part ${path}`;
}

/** Larger attachments can only be downloaded. */
const MAX_VIEWED_BYTES = 5 * 1024 * 1024;

/** More characters would freeze the browser. */
const MAX_SHOWN_CHARS = 128 * 1024;

/** An image with more pixels would take hundreds of megabytes of memory. */
const MAX_PIXELS = 32_000_000;

/** Larger images are fetched only on request. */
const MAX_THUMBNAIL_BYTES = 256 * 1024;

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/;
const TEXT = /^(?:text\/[\w.+-]+|message\/rfc822|application\/json)$/;
const PDF = 'application/pdf';

const MAX_FACTS = 40;

/** The properties of an invitation that the page shows, and their names on the page (RFC 5545). */
const NAMES: Readonly<Record<string, string>> = {
  METHOD: 'Method',
  SUMMARY: 'Event',
  DTSTART: 'Begins',
  DTEND: 'Ends',
  RRULE: 'Repeats',
  LOCATION: 'Place',
  ORGANIZER: 'Organizer',
  STATUS: 'Status',
};

function isViewable({ type, size }: MimePart): boolean {
  return (size ?? 0) <= MAX_VIEWED_BYTES && (IMAGE.test(type) || TEXT.test(type) || type === PDF);
}

function hasThumbnail({ type, size }: MimePart): boolean {
  return IMAGE.test(type) && (size ?? 0) <= MAX_THUMBNAIL_BYTES;
}

/** A thumbnail of an attached image; a file icon until the image has loaded, and if it cannot be shown. */
function Thumbnail({ part }: { part: MimePart }) {
  const { mail } = useMail();
  const { value: content } = useAnswer((api, signal) => api.part(mail.key, part.path, signal));
  const icon = <Icon name="file" />;
  if (content === null) return icon;
  return <Image class="thumbnail" type={part.type} alt="" pending={icon} otherwise={icon} content={content} />;
}

/** The content of an attachment. Nothing in it runs: images and PDFs are decoded, everything else is shown as text. */
function AttachmentView({ part: { type, path, charset, filename } }: { part: MimePart }) {
  const { mail } = useMail();
  const load = (api: PageApi, signal: AbortSignal) => api.part(mail.key, path, signal);
  const loadText = async (api: PageApi, signal: AbortSignal) =>
    decoded(await (await load(api, signal)).arrayBuffer(), charset);
  if (type === PDF) return <Asked ask={load}>{(content) => <Pdf title={filename ?? 'PDF'} content={content} />}</Asked>;
  if (!IMAGE.test(type))
    return <Asked ask={loadText}>{(text) => <Text isCalendar={type === 'text/calendar'} text={text} />}</Asked>;
  const otherwise = <p class="hint">This image cannot be shown. Download it instead.</p>;
  return (
    <Asked ask={load}>
      {(content) => <Image class="viewed" alt={filename ?? ''} {...{ type, content, otherwise }} />}
    </Asked>
  );
}

interface ImageProps {
  readonly class: string;
  readonly type: string;
  readonly content: Blob;
  readonly alt: string;
  readonly pending?: ComponentChild;
  readonly otherwise: ComponentChild;
}

/**
 * An image that stays hidden until its size is known: browsers decode an image when they paint it, and a small file can
 * contain an image that takes gigabytes once decoded.
 */
function Image({ class: style, type, content, alt, pending, otherwise }: ImageProps) {
  const url = useObjectUrl(content, type);
  const [fits, setFits] = useState<boolean | null>(null);
  const measure = ({ naturalWidth, naturalHeight }: HTMLImageElement) =>
    setFits(naturalWidth * naturalHeight <= MAX_PIXELS);
  if (fits === false) return <>{otherwise}</>;
  return (
    <>
      {fits === null && pending}
      <img
        class={style}
        hidden={fits === null}
        src={url}
        alt={alt}
        onLoad={({ currentTarget }) => measure(currentTarget)}
        onError={() => setFits(false)}
      />
    </>
  );
}

/** Declares any content as PDF, so that a browser opens its PDF viewer even if the content is something else. */
function Pdf({ content, title }: { content: Blob; title: string }) {
  return <iframe class="viewed" title={title} src={useObjectUrl(content, PDF)} />;
}

function Text({ text, isCalendar }: { text: string; isCalendar: boolean }) {
  const facts = isCalendar ? eventFacts(text) : [];
  return (
    <>
      {facts.length > 0 && <Facts facts={facts.map(([name, value]) => [name, <Visible key={name} text={value} />])} />}
      {text.length > MAX_SHOWN_CHARS && <p class="hint">Only the beginning is shown. Download it for the rest.</p>}
      <Scroll label="Content" class="viewed">
        <pre>{writtenOut(text.slice(0, MAX_SHOWN_CHARS))}</pre>
      </Scroll>
    </>
  );
}

function useObjectUrl(content: Blob, type: string): string {
  const url = useMemo(() => URL.createObjectURL(content.slice(0, content.size, type)), []);
  useEffect(() => () => URL.revokeObjectURL(url), []);
  return url;
}

/** The text of a part; an unknown charset is read as UTF-8. */
function decoded(bytes: ArrayBuffer, charset: string | null): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** The properties of an invitation's events, in the order of the text (RFC 5545). */
function eventFacts(text: string): (readonly [string, string])[] {
  // A line that begins with a space continues the line before (RFC 5545 section 3.1).
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const facts = lines.flatMap((line) => {
    const [, property = '', parameters = '', value = ''] = /^([A-Z]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
    const name = NAMES[property];
    const zone = /;TZID=([^;:]+)/.exec(parameters)?.[1];
    return name === undefined ? [] : [[name, `${readable(value)}${zone === undefined ? '' : ` (${zone})`}`] as const];
  });
  return facts.slice(0, MAX_FACTS);
}

/** Formats `20260131T093000Z` as `2026-01-31 09:30 UTC`, and unescapes any other text (RFC 5545 section 3.3.11). */
function readable(value: string): string {
  const [, year, month, day, hour, minute, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  if (year === undefined)
    return value
      .replace(/\\n/gi, ' ')
      .replace(/\\([\\;,])/g, '$1')
      .replace(/^mailto:/i, '');
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}${utc === 'Z' ? ' UTC' : ''}`}`;
}
