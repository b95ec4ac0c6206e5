import { useId, useState } from 'preact/hooks';
import { Service } from '../service.js';

interface ApiKeyFormProps {
  readonly apiKey: string;
  onApiKey(apiKey: string): void;
}

/** Takes the API key of a workspace, or the pair of a space, for this tab. */
export function ApiKeyForm({ apiKey, onApiKey }: ApiKeyFormProps) {
  const [written, setWritten] = useState(apiKey);
  const [problem, setProblem] = useState('');
  const id = useId();
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      new Service(written);
      onApiKey(written);
    } catch {
      setProblem(
        'Enter NAME=KEY, as in the --workspace setting, or USER:PASSWORD, as your application signs in to SMTP.',
      );
    }
  };
  return (
    <form class="field" onSubmit={submit}>
      <label for={id}>API key of your workspace, or USER:PASSWORD of your space</label>
      <span class="field-row">
        <input
          id={id}
          type="password"
          autocomplete="off"
          placeholder="NAME=KEY or USER:PASSWORD"
          value={written}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-hint`}
          onInput={({ currentTarget }) => setWritten(currentTarget.value.trim())}
        />
        <button type="submit" class="button">
          Use this key
        </button>
      </span>
      <span id={`${id}-hint`} class={problem === '' ? 'hint' : 'problem'} role={problem === '' ? undefined : 'alert'}>
        {problem || 'Kept only in this tab, until you close it. Leave it empty to use no key.'}
      </span>
    </form>
  );
}
