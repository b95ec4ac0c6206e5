import type { EmailParts, MimePart } from 'mayfly-client';
import { useRef, useState } from 'preact/hooks';
import { inboxApi } from '../service.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { Roving } from '../ui/roving.js';
import { SavedFile } from '../ui/saved-file.js';
import { plural, sizeText } from '../ui/time.js';
import { useMail } from './answer.js';
import { AttachmentView, hasThumbnail, isViewable, Thumbnail } from './attachment-view.js';

/** Each thumbnail costs a request. */
const MAX_THUMBNAILS = 8;

/** The attachments of the email on screen, with buttons to view and to save each. */
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
          <span key={part.path} class="attachment-group">
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
