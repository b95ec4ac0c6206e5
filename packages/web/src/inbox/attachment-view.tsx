import type { MimePart } from 'mayfly-client';
import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Icon } from '../ui/icon.js';
import { Scroll } from '../ui/scroll.js';
import { writtenOut } from '../ui/visible.js';
import { Asked, textOf, useAnswer, useMail } from './answer.js';
import { eventsOf, isCalendar, MAX_EVENTS } from './calendar.js';
import { EventFacts } from './event-card.js';

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

export function isViewable({ type, size }: MimePart): boolean {
  const isShown = IMAGE.test(type) || TEXT.test(type) || isCalendar(type) || type === PDF;
  return isShown && (size ?? 0) <= MAX_VIEWED_BYTES;
}

export function hasThumbnail({ type, size }: MimePart): boolean {
  return IMAGE.test(type) && (size ?? 0) <= MAX_THUMBNAIL_BYTES;
}

/** A thumbnail of an attached image; a file icon until the image has loaded, and if it cannot be shown. */
export function Thumbnail({ part }: { part: MimePart }) {
  const { mail } = useMail();
  const { value: content } = useAnswer((api, signal) => api.part(mail.key, part.path, signal));
  const icon = <Icon name="file" />;
  if (content === null) return icon;
  return <Image class="thumbnail" type={part.type} alt="" pending={icon} otherwise={icon} content={content} />;
}

/** The content of an attachment. Nothing in it runs: images and PDFs are decoded, everything else is shown as text. */
export function AttachmentView({ part }: { part: MimePart }) {
  const { mail } = useMail();
  const { type } = part;
  const name = part.filename ?? '';
  const isDecoded = type === PDF || IMAGE.test(type);
  const otherwise = <p class="hint">This image cannot be shown. Download it instead.</p>;
  return (
    <Asked
      ask={async (api, signal) =>
        isDecoded ? api.part(mail.key, part.path, signal) : textOf(api, mail.key, part, signal)
      }
    >
      {(content) => {
        if (typeof content === 'string') return <Text isEvent={isCalendar(type)} text={content} />;
        if (type === PDF) return <Pdf title={name || 'PDF'} content={content} />;
        return <Image class="viewed" alt={name} {...{ type, content, otherwise }} />;
      }}
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

function Text({ text, isEvent }: { text: string; isEvent: boolean }) {
  const events = isEvent ? eventsOf(text) : [];
  return (
    <>
      {events.map((event, position) => (
        <div key={position} class="event boxed bar gap-12">
          <EventFacts event={event} />
        </div>
      ))}
      {events.length === MAX_EVENTS && <p class="hint">The first {MAX_EVENTS} events are shown.</p>}
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
