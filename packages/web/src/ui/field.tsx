import { useId, useState } from 'preact/hooks';
import { isApiKey } from '../api-key.js';

interface FieldProps {
  readonly label: string;
  readonly type?: 'email' | 'password';
  readonly autocomplete?: 'email' | 'off';
  readonly placeholder?: string;
  readonly disabled?: boolean;
  /** What is known already. */
  readonly value?: string;
  /** The text of the button. */
  readonly action: string;
  /** What stands below, unless something is wrong with what was written. */
  readonly hint?: string;
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
    <form class="field" onSubmit={submit} noValidate>
      <label for={id}>{label}</label>
      <span class="field-row">
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

interface CredentialFormProps
  extends Pick<FieldProps, 'label' | 'placeholder' | 'value' | 'action' | 'hint' | 'onEnter'> {
  /** Whether what was written can be one at all. */
  isValid(written: string): boolean;
  /** What is said where it cannot. */
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

interface ApiKeyFormProps {
  readonly apiKey: string;
  onApiKey(apiKey: string): void;
}

/** Takes the API key of a workspace, or the pair of a space. */
export function ApiKeyForm({ apiKey, onApiKey }: ApiKeyFormProps) {
  return (
    <CredentialForm
      label="API key of your workspace, or USER:PASSWORD of your space"
      placeholder="NAME=KEY or USER:PASSWORD"
      value={apiKey}
      action="Use this key"
      hint="Leave it empty to use no key."
      isValid={isApiKey}
      rule="Enter NAME=KEY, as in the --workspace setting, or USER:PASSWORD, as your application signs in to SMTP."
      onEnter={onApiKey}
    />
  );
}
