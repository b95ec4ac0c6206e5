import type { EmailParts } from 'mayfly-client';
import type { ComponentChild } from 'preact';
import { Icon } from '../ui/icon.js';
import { Tabs } from '../ui/tabs.js';
import { directionOf, Visible } from '../ui/visible.js';
import { Unanswered, useAnswer, useMail } from './answer.js';
import { Attachments } from './attachments.js';
import { CheckPanel } from './check.js';
import { ExplanationPanel } from './explanation.js';
import { Found, LinksPanel } from './found.js';
import { HeaderPanel } from './headers.js';
import { subjectOf } from './mail.js';
import { MailActions } from './mail-actions.js';
import { MailFacts } from './mail-facts.js';
import { GoneNotice } from './notices.js';
import { paced } from './pace.js';
import { Preview } from './preview.js';
import { SourcePanel, TextPanel, Written } from './source.js';
import { useView } from './view.js';

/** The email on screen: its code and its link first. */
export function MailView() {
  const { pace, mail, gone, news, onParts, letGo } = useMail();
  const [view, change] = useView();
  const held = useAnswer(async (api, signal) => {
    await paced(pace, signal);
    const parts = await api.parts(mail.key, signal);
    onParts(parts);
    return parts;
  });
  const { value: parts, error } = held;
  const whole = (panel: (parts: EmailParts) => ComponentChild) =>
    parts === null ? <Unanswered answer={held} /> : panel(parts);
  const shared = {
    Text: whole((parts) => <TextPanel parts={parts} />),
    Links: whole((parts) => <LinksPanel parts={parts} />),
    Headers: whole((parts) => <HeaderPanel parts={parts} />),
    HTML: whole((parts) => <Written parts={parts} field="html" label="HTML" />),
  };
  const tabs = {
    Preview: <Preview {...{ parts, view, change }} />,
    ...shared,
    Source: <SourcePanel />,
    Check: <CheckPanel />,
    'Why this code?': <ExplanationPanel parts={parts} />,
  };
  const tab = Object.hasOwn(tabs, view.tab) ? view.tab : 'Preview';
  return (
    // A click focuses the email, so that the keys for scrolling scroll it.
    <article class="mail column gap-8" aria-label="Email" tabIndex={-1}>
      <div class="mail-top stack gap-8">
        <header class="mail-head">
          <p class="mail-bar bar spread">
            <button type="button" class="button button-quiet mail-back" onClick={letGo}>
              <Icon name="back" /> Inbox
            </button>
            {news}
          </p>
          <div class="mail-title bar spread">
            <h2 class="title" tabIndex={-1} dir={directionOf(subjectOf(mail))}>
              <Visible text={subjectOf(mail)} />
            </h2>
            {gone === null && <MailActions />}
          </div>
          {gone !== null && <GoneNotice gone={gone} />}
          <MailFacts parts={parts} />
        </header>
        <Found parts={parts} />
      </div>
      {error === null && <Attachments parts={parts} />}
      {error !== null && gone === null && !Object.hasOwn(shared, tab) && <Unanswered answer={held} />}
      <Tabs label="The email" chosen={tab} onChoose={(name) => change({ tab: name })} tabs={tabs} />
    </article>
  );
}
