import { useState } from 'preact/hooks';
import type { Service } from '../service.js';
import { CopyButton } from '../ui/copy.js';
import { Icon } from '../ui/icon.js';
import { Tabs } from '../ui/tabs.js';
import { ago, left } from '../ui/time.js';
import { ExplanationPanel } from './explanation.js';
import type { Mail } from './mail.js';
import type { Pace } from './pace.js';
import { Preview } from './preview.js';
import { HeaderPanel, SourcePanel, TextPanel } from './source.js';

interface MailViewProps {
  readonly service: Service;
  /** Of the previews. */
  readonly pace: Pace;
  readonly inbox: string;
  readonly mail: Mail;
  /** The server's time. */
  readonly now: number;
  readonly retentionMs: number;
  onBack(): void;
}

/** One mail: its code and its link first, then all there is of it. */
export function MailView({ service, pace, inbox, mail, now, retentionMs, onBack }: MailViewProps) {
  const { from, to, subject, receivedAt, otp, magicLink } = mail;
  const [tab, setTab] = useState('Preview');
  return (
    <article class="mail" aria-label="Email">
      <header class="mail-head">
        <button type="button" class="button button-quiet mail-back" onClick={onBack}>
          <Icon name="back" /> Inbox
        </button>
        <h2 class="title">{subject || 'No subject'}</h2>
        <p class="mail-facts">
          <span>
            <span class="unseen">From </span>
            <strong>{from || 'No sender'}</strong> to {to}
          </span>
          <span>
            <time dateTime={mail.key}>{ago(now - receivedAt)}</time>, {left(receivedAt + retentionMs - now)}
          </span>
        </p>
      </header>
      {(otp !== null || magicLink !== null) && (
        <div class="found">
          {otp !== null && <Code otp={otp} />}
          {magicLink !== null && <MagicLink href={magicLink} />}
        </div>
      )}
      <Tabs
        label="The email"
        chosen={tab}
        onChoose={setTab}
        tabs={{
          Preview: <Preview {...{ service, pace, inbox, mail }} />,
          Text: <TextPanel mail={mail} />,
          Headers: <HeaderPanel mail={mail} />,
          Source: <SourcePanel {...{ service, inbox, mail }} />,
          'Why this code?': <ExplanationPanel {...{ service, inbox, mail }} />,
        }}
      />
    </article>
  );
}

function Code({ otp }: { otp: string }) {
  return (
    <section class="found-code" aria-label="One-time code">
      <h3>Code</h3>
      <CopyButton class="code" text={otp} what={`code ${otp}`}>
        <span class="code-digits">{otp}</span>
      </CopyButton>
    </section>
  );
}

function MagicLink({ href }: { href: string }) {
  const isSafe = /^https?:\/\//i.test(href);
  return (
    <section class="found-link" aria-label="Magic link">
      <h3>Link</h3>
      <p class="found-address">{href}</p>
      <p class="found-actions">
        {isSafe && (
          <a class="button button-main" href={href} target="_blank" rel="noopener noreferrer">
            Open link <Icon name="open" />
          </a>
        )}
        <CopyButton text={href} what="link" />
      </p>
    </section>
  );
}
