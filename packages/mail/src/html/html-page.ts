/** HTML as a reader sees it. */
export interface HtmlPage {
  /** Visible text: one line a block, cells apart by a tab, paragraphs by a blank line. */
  readonly text: string;
  /** The pieces that the text is put together from, in order. */
  readonly spans: readonly TextSpan[];
  readonly links: readonly PageLink[];
}

export interface TextSpan {
  readonly start: number;
  readonly end: number;
  readonly look: Look;
}

export interface Look {
  /** In CSS pixels. */
  readonly fontSize: number;
  readonly bold: boolean;
  /** Set like something to type: in a fixed-width font, with wide letter spacing, or in an element for that. */
  readonly codeLike: boolean;
  /** In a footer, by the name, class or id of an element around it. */
  readonly footer: boolean;
  /** In a quotation, by the element around it: what an answer repeats, whatever is written above it. */
  readonly quoted: boolean;
}

export interface PageLink {
  /** Its address with entities decoded, otherwise as it is written. */
  readonly href: string;
  readonly start: number;
  readonly end: number;
  /** What it says of itself beside its text. */
  readonly title: string;
  readonly button: boolean;
  readonly footer: boolean;
  readonly hidden: boolean;
}
