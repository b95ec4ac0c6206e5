import { useEffect, useRef, useState } from 'preact/hooks';
import { emailPath, type Service } from '../service.js';
import type { Mail } from './mail.js';

/** How long a mail must stay chosen before its preview is loaded, so that going through a list loads none on the way. */
const REST_MS = 150;

/** What nothing but HTML mail has. Other mail has no images. */
const HTML_PART = /^content-type:\s*text\/html\b/im;

interface PreviewProps {
  readonly service: Service;
  readonly inbox: string;
  readonly mail: Mail;
}

/** A mail as its reader sees it, in a frame in which nothing of it runs. */
export function Preview({ service, inbox, mail }: PreviewProps) {
  const [hasImages, setImages] = useState(false);
  const isHtml = HTML_PART.test(mail.source);
  const source = `${emailPath(inbox, mail.key)}/html${hasImages ? '?images=remote' : ''}`;
  return (
    <>
      {isHtml && (
        <p class="panel-actions">
          <label class="switch">
            <input type="checkbox" checked={hasImages} onChange={() => setImages(!hasImages)} />
            Load remote images
          </label>
          <span class="hint">Off, because their sender would learn when and where the mail was read.</span>
        </p>
      )}
      <Frame key={source} source={source} apiKey={service.key} />
    </>
  );
}

interface FrameProps {
  readonly source: string;
  readonly apiKey: string | null;
}

/**
 * The frame is sandboxed twice, by its own attribute and by the policy of what is loaded: no scripts, no forms, an origin of its
 * own. Links open in tabs of their own. A frame sends no header, so a key goes with a form.
 */
function Frame({ source, apiKey }: FrameProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isLoading, setLoading] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLoading(true), REST_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (isLoading) form.current?.submit();
  }, [isLoading]);
  if (!isLoading) return <div class="frame" />;
  return (
    <>
      <iframe
        class="frame"
        name="preview"
        title="Preview of the email"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerpolicy="no-referrer"
        src={apiKey === null ? source : undefined}
      />
      {apiKey !== null && (
        <form ref={form} hidden method="post" action={source} target="preview">
          <input type="hidden" name="key" value={apiKey} />
        </form>
      )}
    </>
  );
}
