import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Texts {
  readonly opening: string;
  readonly lost: string;
}

/** A part of the page whose code comes only where it is shown. */
function later<P extends object>(load: () => Promise<ComponentType<P>>, { opening, lost }: Texts) {
  return (props: P & JSX.IntrinsicAttributes) => {
    const [loaded, setLoaded] = useState<{ readonly Part: ComponentType<P> } | 'lost' | null>(null);
    useEffect(() => {
      load().then(
        (Part) => setLoaded({ Part }),
        () => setLoaded('lost'),
      );
    }, []);
    if (loaded === 'lost') return <p class="problem">{lost}</p>;
    return loaded === null ? <p class="wait">{opening}</p> : <loaded.Part {...props} />;
  };
}

/** The list of all mail. */
export const LaterMail = later(async () => (await import('../all/all-mail.js')).AllMail, {
  opening: 'Opening the list…',
  lost: 'The list could not be loaded. Reload the page.',
});

/** The page of a run, which those who read an inbox do not need. */
export const LaterRun = later(async () => (await import('../run/run-page.js')).RunPage, {
  opening: 'Opening the run…',
  lost: 'The page could not be loaded. Reload it.',
});
