import { useState } from 'preact/hooks';
import { forgetInboxes, rememberedInboxes } from '../remembered.js';
import { pagePath } from '../service.js';

/** The inboxes that this browser opened last. */
export function RecentInboxes() {
  const [names, setNames] = useState(rememberedInboxes);
  if (names.length === 0) return null;
  const forget = () => {
    forgetInboxes();
    setNames([]);
  };
  return (
    <section class="card" aria-labelledby="recent-title">
      <h2 id="recent-title">Your last inboxes</h2>
      <ul class="recent">
        {names.map((name) => (
          <li key={name}>
            <a href={pagePath(name)}>{name}</a>
          </li>
        ))}
      </ul>
      <p class="actions">
        <button type="button" class="button button-quiet" onClick={forget}>
          Forget these
        </button>
        <span class="hint">Stored only in this browser.</span>
      </p>
    </section>
  );
}
