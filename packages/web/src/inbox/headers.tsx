import type { SendApiRequest } from 'mayfly-client';
import { useState } from 'preact/hooks';
import { Scroll } from '../ui/scroll.js';
import { Visible } from '../ui/visible.js';
import { type Parts, Unanswered } from './answer.js';

/** The header of a mail, field by field: decoded, or as it came. */
export function HeaderPanel({ held }: { held: Parts }) {
  const [isRaw, setRaw] = useState(false);
  const { value: parts } = held;
  if (parts === null) return <Unanswered answer={held} />;
  return (
    <>
      <p class="panel-actions">
        <label class="switch">
          <input type="checkbox" checked={isRaw} onChange={() => setRaw(!isRaw)} />
          As received
        </label>
        <span class="hint">
          {parts.sendApi === null ? 'By SMTP' : `By the API of ${parts.sendApi.provider}`} from{' '}
          <Visible text={parts.envelope.from || '<>'} /> for <Visible text={parts.envelope.to} />
        </span>
      </p>
      {parts.sendApi !== null && <SendApiRequestFacts request={parts.sendApi} />}
      <Scroll label="Headers">
        <table class="headers">
          <tbody>
            {parts.headers.map(({ name, value, raw }, position) => (
              <tr key={position}>
                <th scope="row">
                  <Visible text={name} />
                </th>
                <td>
                  <Visible text={isRaw ? raw.trim() : value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {parts.incomplete.includes('headers') && <p class="hint">This email has more header fields than listed.</p>}
      </Scroll>
    </>
  );
}

/** The request by which an application sent a mail, without its key. */
function SendApiRequestFacts({ request }: { request: SendApiRequest }) {
  return (
    <details>
      <summary>
        <Visible text={request.request} />
      </summary>
      {request.notes.map((note) => (
        <p key={note} class="hint">
          <Visible text={note} />
        </p>
      ))}
      <Scroll label="Request">
        <pre>
          <Visible text={JSON.stringify(request.body, null, 2)} />
        </pre>
      </Scroll>
    </details>
  );
}
