import type { ComponentChildren } from 'preact';
import { Icon } from '../ui/icon.js';
import { SCHEMES, schemeOf, type View, WIDTHS } from './view.js';

interface PreviewControlsProps {
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
  /** Whether the mail names images elsewhere that could be loaded. */
  readonly hasRemote: boolean;
  readonly isEnlarged: boolean;
  readonly onEnlarge: (isEnlarged: boolean) => void;
  /** Leads to the preview in a tab of its own; null for an email that is gone. */
  readonly source: string | null;
  /** Goes with the request where the inbox needs it. */
  readonly apiKey: string | null;
}

/** How the preview shows a mail. What is chosen here is kept for the next one. */
export function PreviewControls(props: PreviewControlsProps) {
  const { view, change, hasRemote, isEnlarged, onEnlarge, source, apiKey } = props;
  return (
    <div class="panel-actions">
      {/* Enlarged, the page shows nothing else, not even its own heading. */}
      {isEnlarged && <h1 class="unseen">Preview of the email</h1>}
      <Choice legend="Width of the preview" shown={view.width} options={WIDTHS} onChoose={(width) => change({ width })}>
        {(width) => width ?? 'Full'}
      </Choice>
      {source !== null && <Rewritten {...{ view, change }} />}
      {hasRemote && (
        <label class="switch">
          <input type="checkbox" checked={view.hasImages} onChange={() => change({ hasImages: !view.hasImages })} />
          Load remote images
        </label>
      )}
      <span class="panel-end">
        {source !== null && <OwnTab source={source} apiKey={apiKey} />}
        <button type="button" class="button button-quiet button-small" onClick={() => onEnlarge(!isEnlarged)}>
          <Icon name={isEnlarged ? 'reduce' : 'enlarge'} />
          <span class="unseen">{isEnlarged ? 'Reduce the preview' : 'Enlarge the preview'}</span>
        </button>
      </span>
      {hasRemote && (
        <span class="hint panel-warning">
          Loading them tells the sender when and where you read this email
          {view.hasImages ? ' and each other one.' : '.'}
        </span>
      )}
    </div>
  );
}

/** What the service writes the document by: of an email that is gone there is no other. */
function Rewritten({ view, change }: Pick<PreviewControlsProps, 'view' | 'change'>) {
  return (
    <>
      <Choice
        legend="Colours that the reader prefers"
        shown={schemeOf(view)}
        options={SCHEMES}
        onChoose={(scheme) => change({ scheme })}
      >
        {(scheme) => (scheme === 'light' ? 'Light' : 'Dark')}
      </Choice>
      <span class="choice">
        <button type="button" aria-pressed={!view.hasStyles} onClick={() => change({ hasStyles: !view.hasStyles })}>
          No styles
        </button>
      </span>
    </>
  );
}

interface ChoiceProps<T> {
  readonly legend: string;
  readonly options: readonly T[];
  readonly shown: T;
  readonly onChoose: (option: T) => void;
  /** Names an option. */
  readonly children: (option: T) => ComponentChildren;
}

/** One of several: a single stop for the keyboard, where the arrow keys choose. */
function Choice<T>({ legend, options, shown, onChoose, children: nameOf }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{legend}</legend>
      {options.map((one) => (
        <label key={one}>
          <input type="radio" class="unseen" name={legend} checked={one === shown} onChange={() => onChoose(one)} />
          {nameOf(one)}
        </label>
      ))}
    </fieldset>
  );
}

/** A link sends no header, so a key goes with a form, as for the frame. */
function OwnTab({ source, apiKey }: { source: string; apiKey: string | null }) {
  const name = (
    <>
      <Icon name="open" />
      <span class="unseen">Open the preview in a tab of its own</span>
    </>
  );
  if (apiKey === null)
    return (
      <a class="button button-quiet button-small" href={source} target="_blank" rel="noopener noreferrer">
        {name}
      </a>
    );
  return (
    <form method="post" action={source} target="_blank" rel="noopener noreferrer">
      <input type="hidden" name="key" value={apiKey} />
      <button type="submit" class="button button-quiet button-small">
        {name}
      </button>
    </form>
  );
}
