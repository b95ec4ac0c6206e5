/** What elements do to the text inside them when it is read line by line. */

/** Elements without content (HTML standard, 13.1.2). */
export const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen'.split(' '),
);

/** Elements that begin and end a line. */
export const LINE = new Set(
  (
    'address article aside body button caption center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'header hgroup html legend li main nav optgroup option search section summary tbody tfoot thead tr'
  ).split(' '),
);

/** Elements with a blank line around them. */
export const PARAGRAPH = new Set('blockquote h1 h2 h3 h4 h5 h6 hr menu ol p pre table ul'.split(' '));

/** Elements that are set apart from their neighbour on one line. */
export const CELL = new Set(['td', 'th']);

/** Elements whose content nobody sees in a mail. */
export const UNSEEN = new Set('datalist noembed noframes object select svg template video audio canvas map'.split(' '));

/** Elements whose text is set bold. */
export const BOLD = new Set(['b', 'strong', 'th', 'h1', 'h2', 'h3', 'h4']);

/** Elements whose text is set like something to be typed. */
export const CODE_LIKE = new Set(['code', 'kbd', 'pre', 'samp', 'tt']);

/** Font sizes, in CSS pixels, that browsers give elements. */
export const FONT_SIZE = new Map([
  ['h1', 32],
  ['h2', 24],
  ['h3', 19],
  ['big', 19],
  ['small', 13],
]);

/** Which open elements an opening tag closes, because they cannot hold it: `<li>` ends the `<li>` before it. */
export const CLOSES = new Map<string, ReadonlySet<string>>([
  ['li', new Set(['li'])],
  ['p', new Set(['p'])],
  ['td', new Set(['td', 'th'])],
  ['th', new Set(['td', 'th'])],
  ['tr', new Set(['td', 'th', 'tr'])],
  ['a', new Set(['a'])],
  ['dt', new Set(['dt', 'dd'])],
  ['dd', new Set(['dt', 'dd'])],
]);
