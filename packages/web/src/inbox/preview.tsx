import type { EmailParts } from 'mayfly-client';
import { pauseMs } from 'mayfly-client/retry';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { AWAY, wordsForStatus } from '../problem-words.js';
import { emailPath, isThere, keyOf } from '../service.js';
import { keep, kept } from '../storage.js';
import { Choice, Switch } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { Menu } from '../ui/toolbar.js';
import { later, useUntil } from '../ui/until.js';
import { change, OUTSIDE, useUrl } from '../url.js';
import { BUSY_STATUS, BUSY_TRIES, Failure, useMail } from './answer.js';
import { useIsDark, useIsPhone } from './focus.js';
import { REST_MS } from './pace.js';

/** Matches HTML and CSS that load remote images. A false match only shows a switch that does nothing. */
const REMOTE_IMAGE = /(?:src|srcset|background|poster)[\s=]{1,9}["']?\s?(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\//i;

interface PreviewProps {
  readonly parts: EmailParts | null;
  readonly view: View;
  change(part: Partial<View>): void;
}

/** The email as an email client shows it, in a frame that runs no scripts. */
export function Preview({ parts, view, change }: PreviewProps) {
  const { inbox, mail, gone } = useMail();
  const isCut = parts?.incomplete.includes(parts.html?.trim() ? 'html' : 'text');
  const source = `${emailPath(inbox, mail.key)}/html${queryOf(view)}`;
  if (parts !== null && !parts.text?.trim() && !parts.html?.trim())
    return (
      <p class="hint">This email has nothing to show but its headers{mail.attachments > 0 && ' and attachments'}.</p>
    );
  return (
    <div class="preview column gap-8">
      <PreviewControls
        hasRemote={gone === null && REMOTE_IMAGE.test(parts?.html ?? '')}
        source={gone === null ? source : null}
        {...{ view, change }}
      />
      {isCut && <p class="hint">Only the beginning is shown. Download the message for the rest.</p>}
      <Frames source={source} width={view.width} />
    </div>
  );
}

/** How long a frame may show the previous email while the next one loads. */
const MAX_STALE_MS = 1_000;

/** Shows a document, and the previous one until then, so that no empty frame flashes between two emails. */
function Frames({ source, width }: { source: string; width: View['width'] }) {
  const { gone, onGone } = useMail();
  const [shown, setShown] = useState<{ source: string; key: string } | null>(null);
  const [last, setLast] = useState({ source, attempt: 0, status: 200 });
  const { attempt, status } = last.source === source ? last : { attempt: 0, status: 200 };
  const isFailed = status >= 400 || status === AWAY;
  const wanted = { source, key: `${attempt} ${source}` };
  const latest = useRef(wanted.key);
  latest.current = wanted.key;
  const stale = isFailed || shown?.key === wanted.key ? null : shown;
  const retry = () => setLast({ source, attempt: attempt + 1, status: 200 });
  useUntil([source, status], (signal) => {
    // While the service is away, the page shows that in one place.
    const mayRetry = status === AWAY || (status === BUSY_STATUS && attempt + 1 < BUSY_TRIES);
    if (mayRetry && gone === null) later(pauseMs(attempt + 1, null), signal, retry);
  });
  useUntil([stale?.key], (signal) => stale !== null && later(MAX_STALE_MS, signal, () => setShown(null)));
  // Also runs if the frame shows an error.
  const onLoaded = async () => {
    const loaded = await statusOf(source, attempt);
    // The user may have chosen another email in the meantime.
    if (latest.current !== wanted.key) return;
    setLast({ source, attempt, status: loaded });
    if (loaded === 404) onGone();
    setShown(loaded < 400 && loaded !== AWAY ? wanted : null);
  };
  const frames = stale === null ? [wanted] : [stale, wanted];
  return (
    <div class="frame-box column gap-8" style={{ '--width': width && `${width}px` }}>
      {isFailed && status !== AWAY && (
        <Failure words={wordsForStatus(status)} action="Reload the preview" retry={gone === null ? retry : null} />
      )}
      <div class="frames" hidden={isFailed}>
        {frames.map((frame) => (
          <Frame
            key={frame.key}
            source={frame.source}
            isShown={frame.key === shown?.key && frame !== stale}
            isStale={frame === stale}
            onLoaded={onLoaded}
          />
        ))}
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

interface FrameProps {
  readonly source: string;
  /** Whether the document has loaded and is the one that the page is about. */
  readonly isShown: boolean;
  /** Whether the frame stays in view only until another one has loaded. */
  readonly isStale: boolean;
  onLoaded(): void;
}

/**
 * The frame is sandboxed twice, by its attribute and by the policy of its document: no scripts, no forms, an opaque
 * origin. Links open in new tabs. A frame cannot send the API key in a header, so a form posts the key.
 */
function Frame({ source, isShown, isStale, onLoaded }: FrameProps) {
  const { inbox, pace } = useMail();
  const name = useId();
  const [key] = useState(() => keyOf(inbox));
  const form = useRef<HTMLFormElement>(null);
  const isPosted = useRef(false);
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
    if (!isLoading || form.current === null) return;
    isPosted.current = true;
    form.current.submit();
  }, [isLoading]);
  if (!isLoading) return null;
  return (
    <>
      <iframe
        class="frame"
        name={name}
        title="Preview of the email"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerpolicy="no-referrer"
        src={key === null ? source : undefined}
        inert={!isShown}
        data-visible={isShown || isStale}
        // Until the form is posted, the frame has loaded only an empty document.
        onLoad={() => (key === null || isPosted.current) && onLoaded()}
      />
      {key !== null && (
        <form ref={form} hidden method="post" action={source} target={name}>
          <input type="hidden" name="key" value={key} />
        </form>
      )}
    </>
  );
}

/** The HTTP status of a frame's document. Its origin is opaque, so only resource timings may contain the status. */
async function statusOf(source: string, attempt: number): Promise<number> {
  const entries = performance.getEntriesByName(new URL(source, location.href).href);
  const last = entries.at(-1) as PerformanceResourceTiming | undefined;
  if (last !== undefined && last.responseStatus > 0) return last.responseStatus;
  // No answer, though the service may be back by now; or the status is hidden, and will be after the next attempt.
  if (last?.responseStatus === 0 && attempt === 0) return AWAY;
  return (await isThere()) ? 200 : AWAY;
}

/** This tab alone remembers the choice of remote images, so that a link to an email loads none. */
const IMAGES_KEY = 'mayfly-images';

/** The width of a preview in CSS pixels: a small phone, a phone, a tablet; null for the whole pane. */
const WIDTHS = [320, 375, 768, null] as const;

const SCHEMES = ['light', 'dark'] as const;

/** Display options, which apply to every email. The URL holds them. */
export interface View {
  /** The first word of the tab's name, in lower case. */
  readonly tab: string;
  readonly width: (typeof WIDTHS)[number];
  /** Null for the browser's color scheme. */
  readonly scheme: (typeof SCHEMES)[number] | null;
  readonly hasStyles: boolean;
  readonly hasImages: boolean;
}

export function useView(): readonly [View, (change: Partial<View>) => void] {
  const { query } = useUrl();
  const [hasImages, setImages] = useState(kept('sessionStorage', IMAGES_KEY) !== null);
  const view: View = {
    tab: query.tab ?? '',
    width: WIDTHS.find((width) => `${width}` === query.width) ?? null,
    scheme: SCHEMES.find((scheme) => scheme === query.scheme) ?? null,
    hasStyles: query.styles !== 'none',
    hasImages,
  };
  const changeView = (part: Partial<View>) => {
    const { tab, width, scheme, hasStyles, hasImages: isOn } = { ...view, ...part };
    setImages(isOn);
    keep('sessionStorage', IMAGES_KEY, isOn ? 'on' : '');
    change({
      query: {
        tab: tab === 'preview' ? '' : tab,
        width: `${width ?? ''}`,
        scheme: scheme ?? '',
        styles: hasStyles ? '' : 'none',
      },
    });
  };
  return [view, changeView];
}

interface PreviewControlsProps {
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
  readonly hasRemote: boolean;
  /** The URL of the preview; null for an email that is gone, because the service cannot render it again. */
  readonly source: string | null;
}

/** The display options of the preview. On a phone, a button opens them, apart from the dark colors. */
export function PreviewControls({ view, change, hasRemote, source }: PreviewControlsProps) {
  const isPhone = useIsPhone();
  const preferred = useIsDark() ? 'dark' : 'light';
  const scheme = view.scheme ?? preferred;
  const choose = (scheme: View['scheme']) => change({ scheme });
  const options = (
    <>
      <Choice
        legend="Width of the preview"
        shown={view.width}
        options={WIDTHS}
        labelOf={(width) => width ?? 'full'}
        onChoose={(width) => change({ width })}
      />
      {source !== null && (
        <>
          {!isPhone && (
            <Choice legend="Colors that the reader prefers" shown={scheme} options={SCHEMES} onChoose={choose} />
          )}
          <Switch label="No styles" isOn={!view.hasStyles} onTurn={(isPlain) => change({ hasStyles: !isPlain })} />
        </>
      )}
      {hasRemote && (
        <Switch label="Load remote images" isOn={view.hasImages} onTurn={(hasImages) => change({ hasImages })} />
      )}
      {source !== null && <NewTab {...{ source, isPhone }} />}
      {hasRemote && (
        <span class="hint panel-warning">
          Remote images show the sender when and where you read this email
          {view.hasImages ? ' and every other one.' : '.'}
        </span>
      )}
    </>
  );
  return (
    <div class="panel-actions flow">
      {isPhone ? <Menu text="View options">{options}</Menu> : options}
      {isPhone && source !== null && (
        <Switch label="Dark" isOn={scheme === 'dark'} onTurn={(isDark) => choose(isDark ? 'dark' : 'light')} />
      )}
    </div>
  );
}

/** Opens the preview in a new tab. A link cannot send the API key in a header, so a form posts the key. */
function NewTab({ source, isPhone }: { source: string; isPhone: boolean }) {
  const key = keyOf(useMail().inbox);
  const name = (
    <>
      <Icon name="open" />
      <span class={isPhone ? '' : 'unseen'}>Open the preview in a new tab</span>
    </>
  );
  if (key === null)
    return (
      <a class="panel-end button button-quiet button-small" href={source} {...OUTSIDE}>
        {name}
      </a>
    );
  return (
    <form class="panel-end" method="post" action={source} {...OUTSIDE}>
      <input type="hidden" name="key" value={key} />
      <button type="submit" class="button button-quiet button-small">
        {name}
      </button>
    </form>
  );
}
