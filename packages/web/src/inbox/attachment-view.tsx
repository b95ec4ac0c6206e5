import type { MimePart } from 'mayfly-client';
import { useEffect, useState } from 'preact/hooks';
import { Facts } from '../ui/facts.js';
import { Icon } from '../ui/icon.js';
import { Scroll } from '../ui/scroll.js';
import { Visible, writtenOut } from '../ui/visible.js';
import { type InService, Unanswered, useAnswer } from './answer.js';
import { pixelsOf } from './image-size.js';

/** Larger attachments are only downloaded. */
const MAX_VIEWED_BYTES = 5 * 1024 * 1024;

/** More characters would keep the browser from answering. */
const MAX_SHOWN_CHARS = 128 * 1024;

/** More pixels take a browser hundreds of megabytes. */
const MAX_PIXELS = 32_000_000;

/** Attached images that are shown small, without being asked for. */
const MAX_THUMBNAIL_BYTES = 256 * 1024;

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/;
const TEXT = /^(?:text\/[\w.+-]+|message\/rfc822|application\/json)$/;
const PDF = 'application/pdf';

/** So many facts of a calendar are told; its text has all. */
const MAX_FACTS = 40;

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

export interface ViewProps extends InService {
  readonly part: MimePart;
}

/** Whether the page can show a part. */
export function isViewable({ type, size }: MimePart): boolean {
  return (size ?? 0) <= MAX_VIEWED_BYTES && (IMAGE.test(type) || TEXT.test(type) || type === PDF);
}

/** Whether a part has a thumbnail. */
export function hasThumbnail({ type, size }: MimePart): boolean {
  return IMAGE.test(type) && (size ?? 0) <= MAX_THUMBNAIL_BYTES;
}

/** A small picture of an attached image; that of a file until it is there, and where it cannot be shown. */
export function Thumbnail(props: ViewProps) {
  const { url, onError } = useImage(props);
  return url === null ? <Icon name="file" /> : <img class="thumbnail" src={url} alt="" onError={onError} />;
}

/** The content of an attachment. Nothing of it runs: images and PDF are decoded, and all else is shown as text. */
export function AttachmentView(props: ViewProps) {
  const { type } = props.part;
  if (IMAGE.test(type)) return <ImageView {...props} />;
  return type === PDF ? <PdfView {...props} /> : <TextView {...props} />;
}

function ImageView(props: ViewProps) {
  const { answer, url, onError } = useImage(props);
  if (answer.value === null) return <Unanswered answer={answer} />;
  if (url === null) return <p class="hint">This image cannot be shown. Download it instead.</p>;
  return <img class="viewed" src={url} alt={props.part.filename ?? ''} onError={onError} />;
}

/** An attached image; its address is null until it is there, and where no browser can or should decode it. */
function useImage({ service, inbox, mail, part }: ViewProps) {
  const [isBroken, setBroken] = useState(false);
  const answer = useAnswer(async (signal) => {
    const content = await service.inbox(inbox).part(mail.key, part.path, signal);
    const pixels = pixelsOf(await content.arrayBuffer());
    const isFit = pixels !== null && pixels <= MAX_PIXELS;
    return { image: isFit ? new Blob([content], { type: part.type }) : null };
  });
  const url = useObjectUrl(answer.value?.image ?? null);
  return { answer, url: isBroken ? null : url, onError: () => setBroken(true) };
}

/** A PDF in the viewer of the browser. The type is ours, so a browser takes it for nothing else. */
function PdfView({ service, inbox, mail, part }: ViewProps) {
  const answer = useAnswer(async (signal) => {
    const content = await service.inbox(inbox).part(mail.key, part.path, signal);
    return new Blob([content], { type: PDF });
  });
  const url = useObjectUrl(answer.value);
  if (url === null) return <Unanswered answer={answer} />;
  return <iframe class="viewed" title={part.filename ?? 'PDF'} src={url} />;
}

function TextView({ service, inbox, mail, part }: ViewProps) {
  const answer = useAnswer(async (signal) => {
    const content = await service.inbox(inbox).part(mail.key, part.path, signal);
    return decoded(await content.arrayBuffer(), part.charset);
  });
  const { value: text } = answer;
  if (text === null) return <Unanswered answer={answer} />;
  const facts = part.type === 'text/calendar' ? eventFacts(text) : [];
  return (
    <>
      {facts.length > 0 && (
        <Facts facts={facts.map(({ name, value }) => [name, <Visible key={name} text={value} />])} />
      )}
      {text.length > MAX_SHOWN_CHARS && <p class="hint">Only the beginning is shown. Download it for the rest.</p>}
      <Scroll label="Content" class="viewed">
        <pre>{writtenOut(text.slice(0, MAX_SHOWN_CHARS))}</pre>
      </Scroll>
    </>
  );
}

function useObjectUrl(content: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (content === null) return;
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return url;
}

/** The text of a part; a charset that no browser knows is read as UTF-8. */
function decoded(bytes: ArrayBuffer, charset: string | null): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** What an invitation says (RFC 5545): its events, in the order of the text. */
function eventFacts(text: string): { readonly name: string; readonly value: string }[] {
  const facts: { name: string; value: string }[] = [];
  // A line that begins with a space goes on with the one before (section 3.1).
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const [, property = '', parameters = '', value = ''] = /^([A-Z]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
    const name = NAMES[property];
    if (name === undefined || facts.length === MAX_FACTS) continue;
    const zone = /;TZID=([^;:]+)/.exec(parameters)?.[1];
    facts.push({ name, value: `${readable(value)}${zone === undefined ? '' : ` (${zone})`}` });
  }
  return facts;
}

/** `20260131T093000Z` as `2026-01-31 09:30 UTC`, and a text without its escapes (section 3.3.11). */
function readable(value: string): string {
  const [, year, month, day, hour, minute, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  if (year === undefined)
    return value
      .replace(/\\n/gi, ' ')
      .replace(/\\([\\;,])/g, '$1')
      .replace(/^mailto:/i, '');
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}${utc === 'Z' ? ' UTC' : ''}`}`;
}
