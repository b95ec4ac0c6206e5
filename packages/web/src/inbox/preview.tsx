import type { EmailParts } from 'mayfly-client';
import { pauseMs } from 'mayfly-client/retry';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AWAY, wordsForStatus } from '../problem-words.js';
import { emailPath, isThere, keyOf } from '../service.js';
import { later, useUntil } from '../ui/until.js';
import { BUSY_STATUS, BUSY_TRIES, Failure, useMail } from './answer.js';
import { REST_MS } from './pace.js';
import { PreviewControls, type View } from './preview-controls.js';

/** Matches HTML and CSS that load remote images. A false match only shows a switch that does nothing. */
const REMOTE_IMAGE = /(?:src|srcset|background|poster)[\s=]{1,9}["']?\s?(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\//i;

interface PreviewProps {
  readonly parts: EmailParts | null;
  readonly view: View;
  change(part: Partial<View>): void;
}

/** The email as an email client shows it, in a frame that runs no scripts. */
export function Preview({ parts, view, change }: PreviewProps) {
  const { inbox, mail, gone, onGone } = useMail();
  const isGone = gone !== null;
  const [isEnlarged, setEnlarged] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [status, setStatus] = useState(200);
  const retry = () => {
    setStatus(200);
    setAttempt(attempt + 1);
  };
  useEscape(isEnlarged, () => setEnlarged(false));
  const source = `${emailPath(inbox, mail.key)}/html${queryOf(view)}`;
  const isFailed = status >= 400 || status === AWAY;
  useUntil([status], (signal) => {
    if (status === BUSY_STATUS && attempt + 1 < BUSY_TRIES) later(pauseMs(attempt + 1, null), signal, retry);
  });
  if (parts !== null && !parts.text?.trim() && !parts.html?.trim())
    return (
      <p class="hint">This email has nothing to show but its headers{mail.attachments > 0 && ' and attachments'}.</p>
    );
  // Also runs if the frame shows an error.
  const onLoaded = async () => {
    const loaded = await statusOf(source);
    setStatus(loaded);
    if (loaded === 404) onGone();
  };
  return (
    <div class="preview column gap-8" data-enlarged={isEnlarged && !isGone}>
      <PreviewControls
        hasRemote={!isGone && REMOTE_IMAGE.test(parts?.html ?? '')}
        onEnlarge={setEnlarged}
        source={isGone ? null : source}
        {...{ view, change, isEnlarged }}
      />
      {isFailed && <Failure words={wordsForStatus(status)} action="Reload the preview" retry={isGone ? null : retry} />}
      <div class="frame-box column" style={{ '--width': view.width && `${view.width}px` }}>
        <Frame key={`${attempt} ${source}`} isHidden={isFailed} {...{ source, onLoaded }} />
      </div>
    </div>
  );
}

function queryOf({ scheme, hasStyles, hasImages }: View): string {
  const query = new URLSearchParams();
  if (hasImages) query.set('images', 'remote');
  if (!hasStyles) query.set('styles', 'none');
  if (scheme !== null) query.set('scheme', scheme);
  return query.size === 0 ? '' : `?${query}`;
}

/** Calls `leave` on Escape. While `isActive` is true, Escape does nothing else. */
function useEscape(isActive: boolean, leave: () => void): void {
  useUntil([isActive], (signal) => {
    if (!isActive) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      leave();
    };
    addEventListener('keydown', press, { capture: true, signal });
  });
}

/**
 * The frame is sandboxed twice, by its attribute and by the policy of its document: no scripts, no forms, an opaque
 * origin. Links open in new tabs. A frame cannot send the API key in a header, so a form posts the key.
 */
function Frame({ source, isHidden, onLoaded }: { source: string; isHidden: boolean; onLoaded(): void }) {
  const { inbox, pace } = useMail();
  const key = keyOf(inbox);
  const form = useRef<HTMLFormElement>(null);
  const [isLoading, setLoading] = useState(false);
  useUntil([], (signal) => {
    const load = () => {
      // Makes room in the buffer of timings, because `statusOf` reads the timing of this frame.
      performance.clearResourceTimings();
      setLoading(true);
    };
    pace.turn(signal, REST_MS).then(load, () => {});
  });
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
        src={key === null ? source : undefined}
        hidden={isHidden}
        onLoad={onLoaded}
      />
      {key !== null && (
        <form ref={form} hidden method="post" action={source} target="preview">
          <input type="hidden" name="key" value={key} />
        </form>
      )}
    </>
  );
}

/** The HTTP status of a frame's document. Its origin is opaque, so only resource timings may contain the status. */
async function statusOf(source: string): Promise<number> {
  const entries = performance.getEntriesByName(new URL(source, location.href).href);
  const last = entries.at(-1) as PerformanceResourceTiming | undefined;
  if (last !== undefined && last.responseStatus > 0) return last.responseStatus;
  return (await isThere()) ? 200 : AWAY;
}
