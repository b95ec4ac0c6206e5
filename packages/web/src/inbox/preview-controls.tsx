import { useState } from 'preact/hooks';
import { keyOf } from '../service.js';
import { keep, kept } from '../storage.js';
import { Choice, Switch } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { Menu } from '../ui/toolbar.js';
import { change, OUTSIDE, useUrl } from '../url.js';
import { useMail } from './answer.js';
import { useIsDark, useIsPhone } from './focus.js';

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
