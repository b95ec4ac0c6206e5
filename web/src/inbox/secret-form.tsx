import { useId, useState } from 'preact/hooks';
import { isSecret } from './secret.js';

/** Takes the secret of a private inbox for this tab. */
export function SecretForm({ onSecret }: { onSecret(secret: string): void }) {
  const [written, setWritten] = useState('');
  const [problem, setProblem] = useState('');
  const id = useId();
  const submit = (event: Event) => {
    event.preventDefault();
    if (isSecret(written)) onSecret(written);
    else setProblem('A secret has 16 to 512 letters, digits and -._~+/.');
  };
  return (
    <form class="field" onSubmit={submit}>
      <label for={id}>Secret of the inbox</label>
      <span class="field-row">
        <input
          id={id}
          type="password"
          autocomplete="off"
          value={written}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-hint`}
          onInput={({ currentTarget }) => setWritten(currentTarget.value.trim())}
        />
        <button type="submit" class="button">
          Open the inbox
        </button>
      </span>
      <span id={`${id}-hint`} class={problem === '' ? 'hint' : 'problem'} role={problem === '' ? undefined : 'alert'}>
        {problem || 'Kept only in this tab, until you close it.'}
      </span>
    </form>
  );
}
