import { useId, useState } from 'preact/hooks';
import { isApiKey } from '../api-key.js';

interface CredentialFormProps {
  readonly label: string;
  readonly placeholder?: string;
  /** What is known already. */
  readonly value?: string;
  readonly action: string;
  /** What else is said of it. */
  readonly hint?: string;
  /** Whether what was written can be one at all. */
  isValid(written: string): boolean;
  /** What is said where it cannot. */
  readonly rule: string;
  onEnter(written: string): void;
}

/** Takes a credential for this tab. */
export function CredentialForm(props: CredentialFormProps) {
  const { label, placeholder, value = '', action, hint = '', isValid, rule, onEnter } = props;
  const [written, setWritten] = useState(value);
  const [problem, setProblem] = useState('');
  const id = useId();
  const submit = (event: Event) => {
    event.preventDefault();
    if (isValid(written)) onEnter(written);
    else setProblem(rule);
  };
  return (
    <form class="field" onSubmit={submit}>
      <label for={id}>{label}</label>
      <span class="field-row">
        <input
          id={id}
          type="password"
          autocomplete="off"
          placeholder={placeholder}
          value={written}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-hint`}
          onInput={({ currentTarget }) => setWritten(currentTarget.value.trim())}
        />
        <button type="submit" class="button">
          {action}
        </button>
      </span>
      <span id={`${id}-hint`} class={problem === '' ? 'hint' : 'problem'} role={problem === '' ? undefined : 'alert'}>
        {problem || `Kept only in this tab, until you close it. ${hint}`}
      </span>
    </form>
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
