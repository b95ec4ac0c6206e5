import { useState } from 'preact/hooks';
import type { Service } from '../service.js';

/** Opens the inbox of a typed name or address. */
export function OwnName({ service }: { service: Service }) {
  const [written, setWritten] = useState('');
  const [problem, setProblem] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      location.assign(`/inbox/${service.mayfly.inbox(written).name}`);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form class="field" onSubmit={submit}>
      <label for="own-name">Or choose a name</label>
      <span class="field-row">
        <input
          id="own-name"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="signup-test"
          value={written}
          aria-invalid={problem !== ''}
          aria-describedby="own-name-problem"
          onInput={({ currentTarget }) => setWritten(currentTarget.value.trim())}
        />
        <button type="submit" class="button">
          Open
        </button>
      </span>
      <span id="own-name-problem" class="problem" role="alert">
        {problem}
      </span>
    </form>
  );
}
