import type { KnownSettings } from '../settings.js';
import { SmtpGuide } from '../ui/smtp-guide.js';
import { Waiting } from '../ui/waiting.js';

/** A name that asks for mail to be held back (D56). */
const HOLDS = /--hold(?:--|@|$)/;

/** An inbox without mail: how to get some. */
export function EmptyInbox({ address, settings }: { address: string; settings: KnownSettings }) {
  return (
    <main class="notice">
      <Waiting />
      <h2 class="title">Waiting for mail</h2>
      {HOLDS.test(address) ? (
        <p>
          With rehearsals on, mail to a name with <code>--hold</code> is held until <code>inbox.release()</code>. Try
          it:
        </p>
      ) : (
        <p>Mail sent to this address appears here right away, with its code and link at the top. Try it:</p>
      )}
      <SmtpGuide address={address} settings={settings} />
    </main>
  );
}
