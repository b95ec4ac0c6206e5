import type { EmailParts, SendApiRequest } from 'mayfly-client';
import { useState } from 'preact/hooks';
import { Scroll } from '../ui/scroll.js';
import { Visible } from '../ui/visible.js';

/** The header fields of an email, decoded or as received. */
export function HeaderPanel({ parts: { headers, envelope, sendApi, incomplete } }: { parts: EmailParts }) {
  const [isRaw, setRaw] = useState(false);
  return (
    <>
      <p class="panel-actions flow">
        <label class="switch bar text-15">
          <input type="checkbox" checked={isRaw} onChange={() => setRaw(!isRaw)} />
          As received
        </label>
        <span class="hint">
          {sendApi === null ? 'By SMTP' : `By the API of ${sendApi.provider}`} from{' '}
          <Visible text={envelope.from || '<>'} /> for <Visible text={envelope.to} />
        </span>
      </p>
      {sendApi !== null && <SendApiRequestFacts request={sendApi} />}
      <Scroll label="Headers">
        <table class="headers text-14">
          <tbody>
            {headers.map(({ name, value, raw }, position) => (
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
        {incomplete.includes('headers') && <p class="hint">This email has more header fields than listed.</p>}
      </Scroll>
    </>
  );
}

/** The request that sent an email, without its key. */
function SendApiRequestFacts({ request: { request, notes, body } }: { request: SendApiRequest }) {
  return (
    <details>
      <summary>
        <Visible text={request} />
      </summary>
      {notes.map((note) => (
        <p key={note} class="hint">
          <Visible text={note} />
        </p>
      ))}
      <Scroll label="Request">
        <pre>
          <Visible text={JSON.stringify(body, null, 2)} />
        </pre>
      </Scroll>
    </details>
  );
}
