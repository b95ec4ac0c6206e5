import type { EmailParts, MimePart } from 'mayfly-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { inboxApi } from '../service.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { SavedFile } from '../ui/saved-file.js';
import { Roving } from '../ui/tabs.js';
import { plural, sizeText } from '../ui/time.js';
import { Line } from '../ui/visible.js';
import { useMail } from './answer.js';
import { AttachmentView, hasThumbnail, isViewable, Thumbnail } from './attachment-view.js';
import { EventCard, invitationsIn } from './event-card.js';

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
        <p class={isCut ? 'soft text-13' : 'hint'}>
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

interface DownloadProps {
  readonly part: MimePart;
  readonly class: string;
  readonly children?: ComponentChildren;
}

function Download({ part, class: style, children }: DownloadProps) {
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
