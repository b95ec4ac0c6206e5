import { MayflyResponseError } from 'mayfly-client';
import { useState } from 'preact/hooks';
import type { Service } from '../service.js';

type State = 'asking' | 'sending' | 'sent' | 'invalid' | 'too many' | 'away';

const PROBLEMS: Partial<Record<State, string>> = {
  invalid: 'That does not look like an email address.',
  'too many': 'Too many attempts from your address. Please wait a minute.',
  away: 'Mayfly could not be reached. Please try again in a moment.',
};

const STATE_OF_STATUS: Readonly<Record<number, State>> = { 400: 'invalid', 429: 'too many' };

/** Puts an address on the waitlist for Workspaces. */
export function WaitlistForm({ service }: { service: Service }) {
  const [email, setEmail] = useState('');
  const [state, setState] = useState<State>('asking');
  const submit = async (event: Event) => {
    event.preventDefault();
    setState('sending');
    setState(await join(service, email));
  };
  if (state === 'sent') {
    return (
      <p class="success" role="status">
        {email} is on the waitlist. We will write once, when Workspaces launch.
      </p>
    );
  }
  return (
    <form class="field" onSubmit={submit} noValidate>
      <label for="waitlist-email">Notify me when Workspaces launch</label>
      <span class="field-row">
        <input
          id="waitlist-email"
          type="email"
          autocomplete="email"
          placeholder="you@example.com"
          value={email}
          aria-invalid={state === 'invalid'}
          aria-describedby="waitlist-problem"
          onInput={({ currentTarget }) => setEmail(currentTarget.value.trim())}
        />
        <button type="submit" class="button" disabled={state === 'sending'}>
          Join the waitlist
        </button>
      </span>
      <span id="waitlist-problem" class="problem" role="alert">
        {PROBLEMS[state] ?? ''}
      </span>
    </form>
  );
}

async function join(service: Service, email: string): Promise<State> {
  try {
    await service.joinWaitlist(email);
    return 'sent';
  } catch (error) {
    return error instanceof MayflyResponseError ? (STATE_OF_STATUS[error.status] ?? 'away') : 'away';
  }
}
