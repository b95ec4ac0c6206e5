import type { EmailParts, MimePart } from 'mayfly-client';
import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { inboxApi } from '../service.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { SavedFile } from '../ui/saved-file.js';
import { Scroll } from '../ui/scroll.js';
import { Roving } from '../ui/tabs.js';
import { plural, sizeText } from '../ui/time.js';
import { Line, writtenOut } from '../ui/visible.js';
import { Asked, textOf, useAnswer, useMail } from './answer.js';
import { eventsOf, isCalendar, MAX_EVENTS } from './calendar.js';
import { EventCard, EventFacts, invitationsIn } from './event-card.js';

/** Limited, because each thumbnail costs a request. */
const MAX_THUMBNAILS = 8;

/** More cards would make each change of the page slow. */
const MAX_LISTED = 500;

export function Attachments({ parts }: { parts: EmailParts | null }) {
  const { mail } = useMail();
  const [viewed, view] = useState<MimePart | null>(null);
  const all = parts?.parts.filter(({ attachment }) => attachment) ?? [];
  const attached = all.slice(0, MAX_LISTED);
  const isCut = all.length > MAX_LISTED || parts?.incomplete.includes('parts');
  const invitations = invitationsIn(parts?.parts ?? []);
  if (parts === null && mail.attachments > 0) return <p class="attachments hint">Listing the attachments…</p>;
  if (attached.length === 0 && invitations.length === 0) return null;
  const files = attached.filter((part) => !invitations.includes(part));
  const total = attached.reduce((sum, { size }) => sum + (size ?? 0), 0);
  const pictured = files.filter(hasThumbnail).slice(0, MAX_THUMBNAILS);
  const card = (part: MimePart) => (
    <FileCard key={part.path} part={part} view={view}>
      {pictured.includes(part) ? <Thumbnail part={part} /> : <Icon name="file" />}
    </FileCard>
  );
  return (
    <section class="attachments stack gap-4" aria-label="Attachments">
      {(isCut || attached.length > 1) && (
        <p class={isCut ? 'soft text-13' : 'not-phone hint'}>
          {isCut
            ? `The first ${attached.length} attachments are listed. Download the message for the rest.`
            : `${plural(attached.length, 'attachment')}, ${sizeText(total)}`}
        </p>
      )}
      <Roving class="attachment-list" label="Attachments">
        {invitations.map((part) => (
          <EventCard key={part.path} part={part} otherwise={card(part)}>
            <Button
              class="button-quiet button-small attachment-view"
              text="View"
              aria-label={`View ${nameOf(part)}`}
              onClick={() => view(part)}
            />
            <Download part={part} class="button button-quiet button-small" />
          </EventCard>
        ))}
        {files.map(card)}
      </Roving>
      {viewed && (
        <Dialog title={nameOf(viewed)} onClose={() => view(null)}>
          <AttachmentView part={viewed} />
        </Dialog>
      )}
    </section>
  );
}

interface FileCardProps {
  readonly part: MimePart;
  view(part: MimePart): void;
  /** The thumbnail or icon of the file. */
  readonly children: ComponentChildren;
}

/** Opens the file if the page can show it; otherwise downloads it. */
function FileCard({ part, view, children }: FileCardProps) {
  const facts = (
    <>
      <span class="attachment-picture">{children}</span>
      <span class="attachment-facts stack gap-0">
        <Line class="text-14" text={nameOf(part)} />
        <span class="soft text-13">{sizeText(part.size ?? 0)}</span>
      </span>
    </>
  );
  if (!isViewable(part))
    return (
      <Download part={part} class="attachment boxed attachment-open">
        {facts}
      </Download>
    );
  return (
    <div class="attachment boxed bar gap-0">
      <button type="button" class="attachment-open" onClick={() => view(part)}>
        {/* First, because the texts are the name of the button. */}
        <span class="attachment-view">View</span> {facts}
      </button>
      <Download part={part} class="button button-quiet button-small" />
    </div>
  );
}

function Download({ part, class: style, children }: { part: MimePart; class: string; children?: ComponentChildren }) {
  const { inbox, mail } = useMail();
  const api = inboxApi(inbox);
  return (
    <SavedFile
      class={style}
      href={api.partUrl(mail.key, part.path)}
      name={part.filename ?? `part-${part.path}`}
      fetch={() => api.part(mail.key, part.path)}
      inbox={inbox}
      label={`Download ${nameOf(part)} ${sizeText(part.size ?? 0)}`}
    >
      {children}
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

function isViewable({ type, size }: MimePart): boolean {
  const isShown = IMAGE.test(type) || TEXT.test(type) || isCalendar(type) || type === PDF;
  return isShown && (size ?? 0) <= MAX_VIEWED_BYTES;
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
function AttachmentView({ part }: { part: MimePart }) {
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
