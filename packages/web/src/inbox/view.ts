import { useState } from 'preact/hooks';
import { keep, kept } from '../storage.js';

/** Kept for this tab only, so that a new tab loads no remote images. */
const VIEW_KEY = 'mayfly-view';

/** The width of a preview in CSS pixels: a small phone, a phone, a tablet; null for the whole pane. */
export const WIDTHS = [320, 375, 768, null] as const;

export const SCHEMES = ['light', 'dark'] as const;

/** Display options, which apply to every email. */
export interface View {
  readonly tab: string;
  readonly width: (typeof WIDTHS)[number];
  /** Null for the browser's color scheme. */
  readonly scheme: (typeof SCHEMES)[number] | null;
  readonly hasStyles: boolean;
  readonly hasImages: boolean;
}

const FIRST: View = { tab: 'Preview', width: null, scheme: null, hasStyles: true, hasImages: false };

export function useView(): readonly [View, (change: Partial<View>) => void] {
  const [view, setView] = useState(keptView);
  const change = (part: Partial<View>) => {
    const changed = { ...view, ...part };
    setView(changed);
    keep('sessionStorage', VIEW_KEY, JSON.stringify(changed));
  };
  return [view, change];
}

function keptView(): View {
  try {
    const { tab, width, scheme, hasStyles, hasImages } = JSON.parse(kept('sessionStorage', VIEW_KEY) ?? '{}');
    return {
      tab: typeof tab === 'string' ? tab : FIRST.tab,
      width: WIDTHS.includes(width) ? width : FIRST.width,
      scheme: SCHEMES.includes(scheme) ? scheme : FIRST.scheme,
      hasStyles: hasStyles !== false,
      hasImages: hasImages === true,
    };
  } catch {
    return FIRST;
  }
}

export function schemeOf({ scheme }: View): (typeof SCHEMES)[number] {
  return scheme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}
