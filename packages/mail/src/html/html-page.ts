/** HTML as a reader sees it. */
export interface HtmlPage {
  /** Visible text: one line per block, tabs between cells, blank lines between paragraphs. */
  readonly text: string;
  /** The pieces of the text, in order. */
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
  /** Styled as text that the reader should type: a fixed-width font, wide letter spacing, or an element like `code`. */
  readonly codeLike: boolean;
  /** The text is in a footer, judged by the name, class or ID of an enclosing element. */
  readonly footer: boolean;
  /** The text is in a quotation, such as the original message in a reply; judged by an enclosing element. */
  readonly quoted: boolean;
}

export interface PageLink {
  /** The `href` as written, with entities decoded. */
  readonly href: string;
  readonly start: number;
  readonly end: number;
  readonly title: string;
  readonly button: boolean;
  readonly footer: boolean;
  readonly hidden: boolean;
}
