import type { Service } from '../service.js';
import { Scroll } from '../ui/scroll.js';
import { Visible } from '../ui/visible.js';
import { lineChanges } from './line-changes.js';
import { type Mail, subjectOf } from './mail.js';
import { Unanswered } from './unanswered.js';
import { useAnswer } from './use-answer.js';

interface ComparisonProps {
  readonly service: Service;
  readonly inbox: string;
  readonly mail: Mail;
  readonly before: Mail;
}

/** How the text of an email differs from that of an earlier one. */
export function Comparison({ service, inbox, mail, before }: ComparisonProps) {
  const answer = useAnswer(
    async (signal) => {
      const texts = [before, mail].map(async ({ key }) => (await service.inbox(inbox).parts(key, signal)).text ?? '');
      const [old = '', fresh = ''] = await Promise.all(texts);
      return { lines: lineChanges(old, fresh) };
    },
    () => {},
  );
  const { value } = answer;
  if (value === null) return <Unanswered answer={answer} />;
  if (value.lines === null) return <p class="hint">These emails differ in too many lines.</p>;
  const isSame = value.lines.every(({ sign }) => sign === ' ');
  return (
    <>
      <p class="hint">
        {isSame ? 'The text is that of ' : 'Compared with '}
        <Visible text={subjectOf(before)} />
      </p>
      <Scroll label="Changes of the text" class="changes">
        {value.lines.map(({ sign, text }, position) => (
          <p key={position} data-sign={sign}>
            {sign} <Visible text={text} />
          </p>
        ))}
      </Scroll>
    </>
  );
}
