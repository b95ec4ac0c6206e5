import type { Email } from 'mayfly-client';
import type { Service } from '../service.js';
import { sizeText } from '../ui/size.js';
import { Visible } from '../ui/visible.js';
import type { Mail } from './mail.js';
import { Unanswered } from './unanswered.js';
import { useAnswer } from './use-answer.js';

/** Larger emails are not fetched as a test gets them: their `rawBody` is the whole message. */
const MAX_EMAIL_BYTES = 1024 * 1024;

interface EmailFieldsProps {
  readonly service: Service;
  readonly inbox: string;
  readonly mail: Mail;
  /** The text that stands below the fields. */
  readonly text: string;
  onGone(): void;
}

/** The nine fields of an email, as a test gets them. */
export function EmailFields(props: EmailFieldsProps) {
  const { size } = props.mail;
  if (size <= MAX_EMAIL_BYTES) return <Fields {...props} />;
  return <p class="hint">The fields of an email of {sizeText(size)} are not shown: rawBody is the whole message.</p>;
}

function Fields({ service, inbox, mail, text, onGone }: EmailFieldsProps) {
  const answer = useAnswer((signal) => service.inbox(inbox).email(mail.key, signal), onGone);
  const { value: email } = answer;
  if (email === null) return <Unanswered answer={answer} />;
  return (
    <details open class="fields">
      <summary>What a test gets</summary>
      <dl class="facts">
        {Object.entries(email).map(([name, value]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>{describe(name as keyof Email, value, text)}</dd>
          </>
        ))}
      </dl>
    </details>
  );
}

function describe(name: keyof Email, value: string | null, text: string) {
  if (value === null) return 'null';
  if (name === 'rawBody') return `the source, ${value.length} characters`;
  if (name !== 'body') return <Visible text={value || '""'} />;
  if (value !== '' && value === text) return 'the text below';
  if (value !== '' && text.startsWith(value)) return `the first ${value.length} characters of the text below`;
  return <Visible text={value || '""'} />;
}
