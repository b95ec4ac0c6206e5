import type { MimePart } from 'mayfly-client';
import { useRef, useState } from 'preact/hooks';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { Roving } from '../ui/roving.js';
import { SavedFile } from '../ui/saved-file.js';
import { sizeText } from '../ui/time.js';
import type { InService, Parts } from './answer.js';
import { AttachmentView, hasThumbnail, isViewable, Thumbnail, type ViewProps } from './attachment-view.js';

/** So many images have a thumbnail: each is a request. */
const MAX_THUMBNAILS = 8;

interface AttachmentsProps extends InService {
  readonly held: Parts;
}

/** The attachments of an email, each with its name, its size and the ways to see and to save it. */
export function Attachments({ service, inbox, mail, held }: AttachmentsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [viewed, setViewed] = useState<MimePart | null>(null);
  const { value: parts, error } = held;
  // What went wrong stands above the tabs, or in one of them.
  if (error !== null) return null;
  const attached = parts?.parts.filter(({ attachment }) => attachment) ?? [];
  if (parts === null && mail.attachments > 0) return <p class="attachments hint">Listing the attachments…</p>;
  if (attached.length === 0) return null;
  const total = attached.reduce((sum, { size }) => sum + (size ?? 0), 0);
  const pictured = attached.filter(hasThumbnail).slice(0, MAX_THUMBNAILS);
  const view = (part: MimePart) => {
    setViewed(part);
    dialog.current?.showModal();
  };
  return (
    <section class="attachments" aria-label="Attachments">
      <p class="hint">
        {attached.length === 1 ? '1 attachment' : `${attached.length} attachments`}, {sizeText(total)}
      </p>
      <Roving class="attachment-list" label="Attachments">
        {attached.map((part) => (
          <span key={part.path} class="attachment-group">
            {isViewable(part) && (
              <button type="button" class="attachment" aria-label={`View ${nameOf(part)}`} onClick={() => view(part)}>
                {pictured.includes(part) ? <Thumbnail {...{ service, inbox, mail, part }} /> : <Icon name="file" />}
                View
              </button>
            )}
            <Attachment {...{ service, inbox, mail, part }} />
          </span>
        ))}
      </Roving>
      <Dialog dialog={dialog} title={viewed === null ? 'Attachment' : nameOf(viewed)} closing="Close">
        {viewed !== null && <AttachmentView key={viewed.path} part={viewed} {...{ service, inbox, mail }} />}
      </Dialog>
    </section>
  );
}

function Attachment({ part, service, inbox, mail }: ViewProps) {
  const api = service.inbox(inbox);
  return (
    <SavedFile
      class="attachment"
      href={api.partUrl(mail.key, part.path)}
      name={part.filename ?? `part-${part.path}`}
      fetch={service.key === null ? null : () => api.part(mail.key, part.path)}
      label={`Download ${nameOf(part)} ${sizeText(part.size ?? 0)}`}
    >
      <bdi class="attachment-name">{nameOf(part)}</bdi> <span class="attachment-size">{sizeText(part.size ?? 0)}</span>
      <Icon name="download" />
    </SavedFile>
  );
}

function nameOf({ filename, type, path }: MimePart): string {
  return filename ?? `${type}, part ${path}`;
}
