import { useId, useState } from 'preact/hooks';
import { changeApiKey, credentials, isApiKey } from '../credentials.js';

interface FieldProps {
  readonly label: string;
  readonly type?: 'email' | 'password';
  readonly autocomplete?: 'email' | 'off';
  readonly placeholder?: string | undefined;
  readonly disabled?: boolean;
  readonly value?: string | undefined;
  /** The text of the button. */
  readonly action: string;
  readonly hint?: string;
  /** Replaces the hint. */
  readonly problem: string;
  readonly isInvalid?: boolean;
  onEnter(written: string): void;
}

/** A form of one field. */
export function Field(props: FieldProps) {
  const { label, type, autocomplete = 'off', placeholder, disabled = false, value = '', action, hint = '' } = props;
  const { problem, isInvalid = problem !== '', onEnter } = props;
  const [written, setWritten] = useState(value);
  const id = useId();
  const submit = (event: Event) => {
    event.preventDefault();
    onEnter(written);
  };
  const isHint = hint !== '' && problem === '';
  return (
    <form class="field stack gap-6 text-15" onSubmit={submit} noValidate>
      <label for={id}>{label}</label>
      <span class="flow">
        <input
          id={id}
          type={type as 'password'}
          autocapitalize="off"
          spellcheck={false}
          value={written}
          aria-invalid={isInvalid}
          aria-describedby={`${id}-hint`}
          onInput={({ currentTarget }) => setWritten(currentTarget.value.trim())}
          {...{ autocomplete, placeholder }}
        />
        <button type="submit" class="button" disabled={disabled}>
          {action}
        </button>
      </span>
      <span id={`${id}-hint`} class={isHint ? 'hint' : 'problem'} role={isHint ? undefined : 'alert'}>
        {problem || hint}
      </span>
    </form>
  );
}

interface CredentialFormProps extends Omit<FieldProps, 'problem'> {
  isValid(written: string): boolean;
  /** The problem with an invalid entry. */
  readonly rule: string;
}

/** Takes a credential for this tab. */
export function CredentialForm({ hint = '', isValid, rule, onEnter, ...rest }: CredentialFormProps) {
  const [problem, setProblem] = useState('');
  return (
    <Field
      type="password"
      hint={`Kept only in this tab, until you close it. ${hint}`}
      problem={problem}
      onEnter={(written) => (isValid(written) ? onEnter(written) : setProblem(rule))}
      {...rest}
    />
  );
}

/** Takes the API key of a workspace, or the credentials of an ad-hoc one. */
export function ApiKeyForm() {
  return (
    <CredentialForm
      label="API key of your workspace, or its credentials (USER:PASSWORD)"
      placeholder="NAME=KEY or USER:PASSWORD"
      value={credentials.written}
      action="Use this key"
      hint="Leave it empty to use no key."
      isValid={isApiKey}
      rule="Enter NAME=KEY, as in the --workspace setting, or USER:PASSWORD, as your application signs in to SMTP."
      onEnter={changeApiKey}
    />
  );
}
