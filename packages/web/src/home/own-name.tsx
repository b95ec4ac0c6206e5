import type { ServiceSettings } from 'mayfly-client';
import { useState } from 'preact/hooks';
import { inboxAt, inboxNamed, pagePath } from '../service.js';

/** Opens the inbox of a typed name or address. */
export function OwnName({ settings }: { settings: ServiceSettings | null }) {
  const [written, setWritten] = useState('');
  const [problem, setProblem] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      const inbox = inboxNamed(written);
      location.assign(pagePath(settings === null ? inbox : inboxAt(inbox, settings)));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form class="field" onSubmit={submit}>
      <label for="own-name">Or choose a name or an address</label>
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
