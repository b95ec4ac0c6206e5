import type { EmailParts } from 'mayfly-client';
import type { ComponentChild } from 'preact';
import { Icon } from '../ui/icon.js';
import { Tabs } from '../ui/tabs.js';
import { directionOf, Visible } from '../ui/visible.js';
import { type InService, Unanswered, useAnswer } from './answer.js';
import { Attachments } from './attachments.js';
import { CheckPanel } from './check.js';
import { ExplanationPanel } from './explanation.js';
import { Found } from './found.js';
import { HeaderPanel } from './headers.js';
import { LinksPanel } from './links.js';
import { subjectOf } from './mail.js';
import { MailFacts } from './mail-facts.js';
import { GoneNotice } from './notices.js';
import { type Pace, paced } from './pace.js';
import { Preview } from './preview.js';
import { HtmlPanel, SourcePanel, TextPanel } from './source.js';
import type { Gone } from './use-opened.js';
import { useView } from './view.js';

/** Those tabs that show what was fetched for all of them, and say themselves where it could not be had. */
const SHARED_TABS = ['Text', 'Links', 'Headers', 'HTML'];

interface MailViewProps extends InService {
  /** Of what is fetched of the emails that are opened. */
  readonly pace: Pace;
  /** Why it is not there any more; null while it is. */
  readonly gone: Gone | null;
  /** The server's time. */
  readonly now: number;
  readonly retentionMs: number;
  /** Says what has come meanwhile. */
  readonly news: ComponentChild;
  /** What can be done with the email as a whole. */
  readonly actions: ComponentChild;
  /** Is told what the email holds, once that has come. */
  onParts(parts: EmailParts): void;
  /** Is told when the email is not there any more. */
  onGone(): void;
  letGo(): void;
}

/** One mail: its code and its link first, then all there is of it. */
export function MailView(props: MailViewProps) {
  const { service, pace, inbox, mail, gone, now, retentionMs, news, actions, onParts, onGone, letGo } = props;
  const [view, change] = useView();
  const held = useAnswer(async (signal) => {
    await paced(pace, signal);
    const parts = await service.inbox(inbox).parts(mail.key, signal);
    onParts(parts);
    return parts;
  }, onGone);
  const { value: parts } = held;
  const panel = { service, inbox, mail, held, isGone: gone !== null, onGone };
  const tabs = {
    Preview: <Preview {...panel} {...{ pace, view, change }} />,
    Text: <TextPanel {...panel} />,
    Links: <LinksPanel held={held} />,
    Headers: <HeaderPanel held={held} />,
    HTML: <HtmlPanel held={held} />,
    Source: <SourcePanel {...panel} />,
    Check: <CheckPanel {...panel} />,
    'Why this code?': <ExplanationPanel {...panel} />,
  };
  const tab = Object.hasOwn(tabs, view.tab) ? view.tab : 'Preview';
  return (
    // A click into it gives it the focus, so that the keys that scroll are its own.
    <article class="mail" aria-label="Email" tabIndex={-1}>
      <div class="mail-top">
        <header class="mail-head">
          <p class="mail-bar">
            <button type="button" class="button button-quiet mail-back" onClick={letGo}>
              <Icon name="back" /> Inbox
            </button>
            {news}
          </p>
          <div class="mail-title">
            <h2 class="title" tabIndex={-1} dir={directionOf(subjectOf(mail))}>
              <Visible text={subjectOf(mail)} />
            </h2>
            {gone === null && actions}
          </div>
          {gone !== null && <GoneNotice {...{ gone, retentionMs, letGo }} />}
          <MailFacts {...{ mail, parts, now, retentionMs }} isGone={gone !== null} />
        </header>
        <Found mail={mail} parts={parts} />
      </div>
      <Attachments {...panel} />
      {held.error !== null && gone === null && !SHARED_TABS.includes(tab) && <Unanswered answer={held} />}
      <Tabs label="The email" chosen={tab} onChoose={(name) => change({ tab: name })} tabs={tabs} />
    </article>
  );
}
