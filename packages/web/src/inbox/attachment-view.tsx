import type { MimePart } from 'mayfly-client';
import { useEffect, useState } from 'preact/hooks';
import type { Service } from '../service.js';
import { Icon } from '../ui/icon.js';
import { Scroll } from '../ui/scroll.js';
import { Visible, writtenOut } from '../ui/visible.js';
import { eventFacts } from './calendar.js';
import { pixelsOf } from './image-size.js';
import type { Mail } from './mail.js';
import { Unanswered } from './unanswered.js';
import { useAnswer } from './use-answer.js';

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

export interface ViewProps {
  readonly service: Service;
  readonly inbox: string;
  readonly mail: Mail;
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
export function Thumbnail({ service, inbox, mail, part }: ViewProps) {
  const { value } = useAnswer((signal) => imageOf(service, inbox, mail, part, signal), passOver);
  const [isBroken, setBroken] = useState(false);
  const url = useObjectUrl(value?.image ?? null);
  if (url === null || isBroken) return <Icon name="file" />;
  return <img class="thumbnail" src={url} alt="" onError={() => setBroken(true)} />;
}

/** The content of an attachment. Nothing of it runs: images and PDF are decoded, and all else is shown as text. */
export function AttachmentView(props: ViewProps) {
  const { type } = props.part;
  if (IMAGE.test(type)) return <ImageView {...props} />;
  return type === PDF ? <PdfView {...props} /> : <TextView {...props} />;
}

function ImageView({ service, inbox, mail, part }: ViewProps) {
  const answer = useAnswer((signal) => imageOf(service, inbox, mail, part, signal), passOver);
  const [isBroken, setBroken] = useState(false);
  const url = useObjectUrl(answer.value?.image ?? null);
  if (answer.value === null) return <Unanswered answer={answer} />;
  if (url === null || isBroken) return <p class="hint">This image cannot be shown. Download it instead.</p>;
  return <img class="viewed" src={url} alt={part.filename ?? ''} onError={() => setBroken(true)} />;
}

/** A PDF in the viewer of the browser. The type is ours, so a browser takes it for nothing else. */
function PdfView({ service, inbox, mail, part }: ViewProps) {
  const answer = useAnswer(async (signal) => {
    const content = await service.inbox(inbox).part(mail.key, part.path, signal);
    return new Blob([content], { type: PDF });
  }, passOver);
  const url = useObjectUrl(answer.value);
  if (url === null) return <Unanswered answer={answer} />;
  return <iframe class="viewed" title={part.filename ?? 'PDF'} src={url} />;
}

function TextView({ service, inbox, mail, part }: ViewProps) {
  const answer = useAnswer(async (signal) => {
    const content = await service.inbox(inbox).part(mail.key, part.path, signal);
    return decoded(await content.arrayBuffer(), part.charset);
  }, passOver);
  const { value: text } = answer;
  if (text === null) return <Unanswered answer={answer} />;
  const facts = part.type === 'text/calendar' ? eventFacts(text) : [];
  return (
    <>
      {facts.length > 0 && (
        <dl class="facts">
          {facts.map(({ name, value }, position) => (
            <>
              <dt key={position}>{name}</dt>
              <dd>
                <Visible text={value} />
              </dd>
            </>
          ))}
        </dl>
      )}
      {text.length > MAX_SHOWN_CHARS && <p class="hint">Only the beginning is shown. Download it for the rest.</p>}
      <Scroll label="Content" class="viewed">
        <pre>{writtenOut(text.slice(0, MAX_SHOWN_CHARS))}</pre>
      </Scroll>
    </>
  );
}

/** An attached image, or null in it where no browser should decode that. */
async function imageOf(service: Service, inbox: string, mail: Mail, part: MimePart, signal: AbortSignal) {
  const content = await service.inbox(inbox).part(mail.key, part.path, signal);
  const pixels = pixelsOf(await content.arrayBuffer());
  const isFit = pixels !== null && pixels <= MAX_PIXELS;
  return { image: isFit ? new Blob([content], { type: part.type }) : null };
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

/** The email itself says that it is gone. */
function passOver(): void {}
