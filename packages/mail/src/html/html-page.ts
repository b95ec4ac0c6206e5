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
  /** Styled like something to type: in a fixed-width font, with wide letter spacing, or in an element such as `code`. */
  readonly codeLike: boolean;
  /** In a footer, judging by the name, class or id of an enclosing element. */
  readonly footer: boolean;
  /** In a quotation, judging by an enclosing element: text that a reply repeats. */
  readonly quoted: boolean;
}

export interface PageLink {
  /** As written, with entities decoded. */
  readonly href: string;
  readonly start: number;
  readonly end: number;
  readonly title: string;
  readonly button: boolean;
  readonly footer: boolean;
  readonly hidden: boolean;
}
