import { useMemo, useState } from 'preact/hooks';
import { inboxApi, readSource } from '../service.js';
import { html } from '../ui/highlight.js';
import { Scroll } from '../ui/scroll.js';
import { Tabs } from '../ui/tabs.js';
import { exact } from '../ui/time.js';
import { Visible, writtenOut } from '../ui/visible.js';
import { type Answer, Unanswered, useReply } from './answer.js';
import { lineChanges } from './line-changes.js';
import { type Mail, placeOf, subjectOf } from './mail.js';
import { MAX_SHOWN_CHARS, MAX_SOURCE_BYTES } from './source.js';

interface ComparisonProps {
  /** Completes keys without an inbox. */
  readonly inbox: string;
  /** The earlier and the later email. */
  readonly mails: readonly Mail[];
}

/** The changed lines between two emails, which may be in different inboxes. */
export function Comparison({ inbox, mails }: ComparisonProps) {
  const [tab, setTab] = useState('Text');
  const places = mails.map(({ key }) => placeOf(key, inbox));
  const of = places.map((place) => `${place.receivedAt} ${place.inbox}`).join();
  const both = <T,>(ask: (inbox: string, receivedAt: string) => Promise<T>) =>
    Promise.all(places.map((place) => ask(place.inbox, place.receivedAt)));
  const parts = useReply(of, (signal) => both((name, receivedAt) => inboxApi(name).parts(receivedAt, signal)));
  const sources = useReply(
    of,
    (signal) => both((name, receivedAt) => readSource(name, receivedAt, MAX_SOURCE_BYTES, signal)),
    tab === 'Source',
  );
  const read = (what: 'text' | 'html', shown: (text: string) => string): Answer<readonly string[]> => {
    return { ...parts, value: parts.value?.map((one) => shown((one[what] ?? '').slice(0, MAX_SHOWN_CHARS))) ?? null };
  };
  return (
    <div class="uses stack gap-12">
      <ul class="text-14">
        {mails.map((mail, at) => (
          <li key={mail.key}>
            {at === 0 ? '−' : '+'} <Visible as="strong" text={subjectOf(mail)} /> to <Visible text={mail.to} />,{' '}
            {exact(mail.receivedAt)}
          </li>
        ))}
      </ul>
      <Tabs
        label="What to compare"
        of={of}
        chosen={tab}
        onChoose={setTab}
        tabs={{
          Text: <Changes what="text" answer={read('text', (text) => text)} />,
          HTML: <Changes what="HTML" answer={read('html', (text) => html(text, true).text)} />,
          Source: <Changes what="source" answer={sources} />,
        }}
      />
    </div>
  );
}

function Changes({ what, answer }: { what: string; answer: Answer<readonly string[]> }) {
  const [before = '', after = ''] = answer.value ?? [];
  const lines = useMemo(() => lineChanges(before, after), [before, after]);
  if (answer.value === null) return <Unanswered answer={answer} />;
  if (lines === null) return <p class="hint">These emails differ in too many lines.</p>;
  if (before === after) return <p class="hint">Both emails have the same {what}.</p>;
  return (
    <Scroll label={`Changes of the ${what}`} class="changes">
      {lines.map(({ sign, text }, position) => (
        <p key={position} data-sign={sign}>
          {sign} <bdi>{writtenOut(text)}</bdi>
        </p>
      ))}
    </Scroll>
  );
}
