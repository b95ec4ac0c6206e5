import { pauseMs } from 'mayfly-client/retry';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AWAY, wordsForStatus } from '../problem-words.js';
import { emailPath, type Service } from '../service.js';
import { later, useUntil } from '../ui/until.js';
import { BUSY_STATUS, BUSY_TRIES, type PanelProps, type Parts } from './answer.js';
import { type Pace, paced } from './pace.js';
import { PreviewControls } from './preview-controls.js';
import type { View } from './view.js';

/**
 * What an HTML mail loads pictures from elsewhere with: attributes and styles. Where it errs, there is a switch too
 * many.
 */
const REMOTE_IMAGE = /(?:src|srcset|background|poster)[\s=]{1,9}["']?\s?(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\//i;

interface PreviewProps extends PanelProps {
  readonly pace: Pace;
  readonly held: Parts;
  readonly isGone: boolean;
  readonly view: View;
  change(part: Partial<View>): void;
}

/** A mail as its reader sees it, in a frame in which nothing of it runs. */
export function Preview(props: PreviewProps) {
  const { service, pace, inbox, mail, isGone, view, onGone, change } = props;
  const { value: parts } = props.held;
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
  const isEmpty = parts !== null && !parts.text?.trim() && !parts.html?.trim();
  if (isEmpty)
    return (
      <p class="hint">This email has nothing to show but its headers{mail.attachments > 0 && ' and attachments'}.</p>
    );
  const onLoaded = async () => {
    const loaded = await statusOf(source, service);
    setStatus(loaded);
    if (loaded === 404) onGone();
  };
  return (
    <div class="preview" data-enlarged={isEnlarged && !isGone}>
      <PreviewControls
        hasRemote={!isGone && REMOTE_IMAGE.test(parts?.html ?? '')}
        onEnlarge={setEnlarged}
        source={isGone ? null : source}
        apiKey={service.key}
        {...{ view, change, isEnlarged }}
      />
      {isFailed && (
        <p class="panel-actions">
          <span class="problem" role="alert">
            {wordsForStatus(status)}
          </span>
          {!isGone && (
            <button type="button" class="button" onClick={retry}>
              Reload the preview
            </button>
          )}
        </p>
      )}
      <div class="frame-box" data-width={view.width ?? 'full'} style={{ '--width': `${view.width}px` }}>
        <Frame key={`${attempt} ${source}`} apiKey={service.key} isHidden={isFailed} {...{ source, pace, onLoaded }} />
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

/** While it is active, Esc has this meaning alone. */
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

interface FrameProps {
  readonly source: string;
  readonly apiKey: string | null;
  readonly pace: Pace;
  readonly isHidden: boolean;
  /** Is told that something was loaded, whatever it is. */
  onLoaded(): void;
}

/**
 * The frame is sandboxed twice, by its own attribute and by the policy of what is loaded: no scripts, no forms, an
 * origin of its own. Links open in tabs of their own. A frame sends no header, so a key goes with a form.
 */
function Frame({ source, apiKey, pace, isHidden, onLoaded }: FrameProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isLoading, setLoading] = useState(false);
  useUntil([], (signal) => {
    const load = () => {
      // The browser stops noting how requests went when it has noted many.
      performance.clearResourceTimings();
      setLoading(true);
    };
    paced(pace, signal).then(load, () => {});
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
        src={apiKey === null ? source : undefined}
        hidden={isHidden}
        onLoad={onLoaded}
      />
      {apiKey !== null && (
        <form ref={form} hidden method="post" action={source} target="preview">
          <input type="hidden" name="key" value={apiKey} />
        </form>
      )}
    </>
  );
}

/**
 * How the request for a frame was answered. Nothing else tells, for the frame has an origin of its own. Where not even
 * that does, it was answered if the service is there.
 */
async function statusOf(source: string, service: Service): Promise<number> {
  const entries = performance.getEntriesByName(new URL(source, location.href).href);
  const last = entries.at(-1) as PerformanceResourceTiming | undefined;
  if (last !== undefined && last.responseStatus > 0) return last.responseStatus;
  return (await service.isThere()) ? 200 : AWAY;
}
