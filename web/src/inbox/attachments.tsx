import type { MimePart } from 'mayfly-client';
import type { Service } from '../service.js';
import { Icon } from '../ui/icon.js';
import { Roving } from '../ui/roving.js';
import { SavedFile } from '../ui/saved-file.js';
import { sizeText } from '../ui/size.js';
import type { Mail } from './mail.js';
import type { Parts } from './use-parts.js';

interface AttachmentsProps {
  readonly service: Service;
  readonly inbox: string;
  readonly mail: Mail;
  readonly held: Parts;
}

/** The attachments of an email, each with its name, its size and the way to save it. */
export function Attachments({ service, inbox, mail, held }: AttachmentsProps) {
  const { value: parts, error } = held;
  // What went wrong stands above the tabs, or in one of them.
  if (error !== null) return null;
  const attached = parts?.parts.filter(({ attachment }) => attachment) ?? [];
  if (parts === null && mail.attachments > 0) return <p class="attachments hint">Listing the attachments…</p>;
  if (attached.length === 0) return null;
  const total = attached.reduce((sum, { size }) => sum + (size ?? 0), 0);
  return (
    <section class="attachments" aria-label="Attachments">
      <p class="hint">
        {attached.length === 1 ? '1 attachment' : `${attached.length} attachments`}, {sizeText(total)}
      </p>
      <Roving class="attachment-list" label="Attachments">
        {attached.map((part) => (
          <Attachment key={part.path} part={part} {...{ service, inbox, mail }} />
        ))}
      </Roving>
    </section>
  );
}

function Attachment({ part, service, inbox, mail }: Omit<AttachmentsProps, 'held'> & { part: MimePart }) {
  const name = part.filename ?? `${part.type}, part ${part.path}`;
  const api = service.inbox(inbox);
  return (
    <SavedFile
      class="attachment"
      href={api.partUrl(mail.key, part.path)}
      name={part.filename ?? `part-${part.path}`}
      fetch={service.key === null ? null : () => api.part(mail.key, part.path)}
      label={`Download ${name}, ${sizeText(part.size ?? 0)}`}
    >
      <Icon name="file" />
      <bdi class="attachment-name">{name}</bdi>
      <span class="attachment-size">{sizeText(part.size ?? 0)}</span>
      <Icon name="download" />
    </SavedFile>
  );
}
