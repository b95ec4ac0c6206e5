import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** What the list of all mail is given; its own file says it. */
type AllMailProps = Parameters<typeof import('./all-mail.js').default>[0];

/** The list of all mail, whose code comes only where it is shown. */
export function LaterMail(props: AllMailProps) {
  const [part, setPart] = useState<{ readonly AllMail: ComponentType<AllMailProps> } | null>(null);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    import('./all-mail.js').then(
      ({ default: AllMail }) => setPart({ AllMail }),
      () => setLost(true),
    );
  }, []);
  if (isLost) return <p class="problem">The list could not be loaded. Reload the page.</p>;
  return part === null ? <p class="wait">Opening the list…</p> : <part.AllMail {...props} />;
}
