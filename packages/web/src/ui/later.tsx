import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component whose code is loaded when it is first shown. */
function later<P extends object>(what: string, load: () => Promise<ComponentType<P>>) {
  let known: { readonly Part: ComponentType<P> } | null = null;
  return (props: P & JSX.IntrinsicAttributes) => {
    const [loaded, setLoaded] = useState<typeof known | 'lost'>(known);
    useEffect(() => {
      load().then(
        (Part) => {
          known ??= { Part };
          setLoaded(known);
        },
        () => setLoaded('lost'),
      );
    }, []);
    if (loaded === 'lost') return <p class="problem">The {what} could not be loaded. Reload the page.</p>;
    return loaded === null ? <p class="wait">Opening the {what}…</p> : <loaded.Part {...props} />;
  };
}

const parts = () => import('../parts.js');

export const LaterRun = later('run', async () => (await parts()).RunPage);

export const LaterLog = later('log', async () => (await parts()).LogTable);
