import { useState } from 'preact/hooks';
import { keep, kept } from '../storage.js';

/** Where this browser tab keeps how mail is looked at. Another tab begins anew, without remote images. */
const VIEW_KEY = 'mayfly-view';

/** Widths of a preview in CSS pixels: a small phone, a phone, a tablet; null for all the room there is. */
export const WIDTHS = [320, 375, 768, null] as const;

export const SCHEMES = ['light', 'dark'] as const;

/** How an email is looked at, kept from one to the next. */
export interface View {
  readonly tab: string;
  readonly width: (typeof WIDTHS)[number];
  /** The colours that the reader prefers; null for the setting of the browser. */
  readonly scheme: (typeof SCHEMES)[number] | null;
  readonly hasStyles: boolean;
  readonly hasImages: boolean;
}

const FIRST: View = { tab: 'Preview', width: null, scheme: null, hasStyles: true, hasImages: false };

/** The view, and what changes a part of it. */
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

/** The colours that are shown: those that were chosen, or those of the browser. */
export function schemeOf({ scheme }: View): (typeof SCHEMES)[number] {
  return scheme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
}
