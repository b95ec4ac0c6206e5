import { useEffect, useRef, useState } from 'preact/hooks';
import { emailPath, type Service } from '../service.js';
import type { Mail } from './mail.js';
import type { Pace } from './pace.js';

/** How long a mail must stay chosen before its preview is loaded, so that going through a list loads none on the way. */
const REST_MS = 150;

/** What nothing but HTML mail has. Other mail has no images. */
const HTML_PART = /^content-type:\s*text\/html\b/im;

interface PreviewProps {
  readonly service: Service;
  readonly pace: Pace;
  readonly inbox: string;
  readonly mail: Mail;
}

/** A mail as its reader sees it, in a frame in which nothing of it runs. */
export function Preview({ service, pace, inbox, mail }: PreviewProps) {
  const [hasImages, setImages] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [status, setStatus] = useState(200);
  const source = `${emailPath(inbox, mail.key)}/html${hasImages ? '?images=remote' : ''}`;
  const isFailed = status >= 400;
  return (
    <>
      {HTML_PART.test(mail.source) && (
        <p class="panel-actions">
          <label class="switch">
            <input type="checkbox" checked={hasImages} onChange={() => setImages(!hasImages)} />
            Load remote images
          </label>
          <span class="hint">Off by default: loading them tells the sender when and where you read this email.</span>
        </p>
      )}
      {isFailed && (
        <p class="panel-actions">
          <span class="problem" role="alert">
            {PROBLEMS[status] ?? 'The preview could not be loaded.'}
          </span>
          <button type="button" class="button" onClick={() => setAttempt(attempt + 1)}>
            Reload the preview
          </button>
        </p>
      )}
      <Frame
        key={`${attempt} ${source}`}
        apiKey={service.key}
        isHidden={isFailed}
        onLoaded={setStatus}
        {...{ source, pace }}
      />
    </>
  );
}

const PROBLEMS: Readonly<Record<number, string>> = {
  401: 'This inbox needs a different API key.',
  404: 'This email is gone. It has expired, or the inbox was emptied.',
  429: 'Too many requests from your address. Wait a moment.',
  503: 'The service is busy reading other messages. Wait a moment.',
};

interface FrameProps {
  readonly source: string;
  readonly apiKey: string | null;
  readonly pace: Pace;
  readonly isHidden: boolean;
  /** Is told the HTTP status of what was loaded. */
  onLoaded(status: number): void;
}

/**
 * The frame is sandboxed twice, by its own attribute and by the policy of what is loaded: no scripts, no forms, an origin of its
 * own. Links open in tabs of their own. A frame sends no header, so a key goes with a form.
 */
function Frame({ source, apiKey, pace, isHidden, onLoaded }: FrameProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isLoading, setLoading] = useState(false);
  useEffect(() => {
    const load = () => {
      pace.take(performance.now());
      // The browser stops noting how requests went when it has noted many.
      performance.clearResourceTimings();
      setLoading(true);
    };
    const timer = setTimeout(load, Math.max(REST_MS, pace.waitMs(performance.now())));
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
        hidden={isHidden}
        onLoad={() => onLoaded(statusOf(source))}
      />
      {apiKey !== null && (
        <form ref={form} hidden method="post" action={source} target="preview">
          <input type="hidden" name="key" value={apiKey} />
        </form>
      )}
    </>
  );
}

/** How the request for a frame was answered. Nothing else tells, for the frame has an origin of its own. */
function statusOf(source: string): number {
  const entries = performance.getEntriesByName(new URL(source, location.href).href);
  const last = entries.at(-1) as PerformanceResourceTiming | undefined;
  return last?.responseStatus || 200;
}
