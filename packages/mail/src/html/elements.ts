/** The separator between two pieces of text. If several apply, the highest counts. */
export const Separator = { nothing: 0, space: 1, cell: 2, line: 3, paragraph: 4 } as const;
export type Separator = (typeof Separator)[keyof typeof Separator];

export interface Element {
  /** The element has no content (HTML standard, 13.1.2). */
  readonly isVoid: boolean;
  /** The separator before and after the element. */
  readonly around: Separator;
  readonly unseen: boolean;
  readonly bold: boolean;
  readonly codeLike: boolean;
  /** The element keeps line breaks and spaces. */
  readonly preformatted: boolean;
  readonly boxed: boolean;
  /** The browser's default font size for the element, in CSS pixels; null if inherited. */
  readonly fontSize: number | null;
  /** Names of open elements that this element ends, as `<li>` ends the previous `<li>`. */
  readonly ends: ReadonlySet<string> | null;
}

const PLAIN: Element = {
  isVoid: false,
  around: Separator.nothing,
  unseen: false,
  bold: false,
  codeLike: false,
  preformatted: false,
  boxed: false,
  fontSize: null,
  ends: null,
};

const ELEMENTS = new Map<string, Element>();

function define(names: string, traits: Partial<Element>): void {
  for (const name of names.split(' ')) ELEMENTS.set(name, { ...elementNamed(name), ...traits });
}

define('area base basefont bgsound br col embed frame hr img input link meta param source track wbr', { isVoid: true });
define('address article aside body caption center dd details dialog dir div dl dt fieldset figcaption figure footer', {
  around: Separator.line,
});
define('form header hgroup html legend li main nav optgroup option search section summary tbody tfoot thead tr', {
  around: Separator.line,
});
define('blockquote h1 h2 h3 h4 h5 h6 hr menu ol p pre table ul', { around: Separator.paragraph });
define('td th', { around: Separator.cell });
define('audio canvas datalist noembed noframes object select svg template video', { unseen: true });
define('b strong th h1 h2 h3 h4', { bold: true });
define('code kbd pre samp tt', { codeLike: true });
define('pre', { preformatted: true });
define('button', { boxed: true });
define('h1', { fontSize: 32 });
define('h2', { fontSize: 24 });
define('h3 big', { fontSize: 19 });
define('small', { fontSize: 13 });
define('a', { ends: new Set(['a']) });
define('p', { ends: new Set(['p']) });
define('li', { ends: new Set(['li']) });
define('dd dt', { ends: new Set(['dd', 'dt']) });
define('td th', { ends: new Set(['td', 'th']) });
define('tr', { ends: new Set(['td', 'th', 'tr']) });

export function elementNamed(name: string): Element {
  return ELEMENTS.get(name) ?? PLAIN;
}
