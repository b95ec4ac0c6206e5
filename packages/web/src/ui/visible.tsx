/**
 * Characters that show nothing, or turn the direction of what stands around them: of these a text could lie. What ends
 * lines, and what joins letters and emoji, does no harm.
 */
const UNSEEN = /((?!\r\n|[\u200c\n\t]|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])/gu;

/**
 * A text of a stranger: what cannot be seen in it is written out, and it changes the direction of nothing beside it.
 */
export function Visible({ text }: { text: string }) {
  // The separators are at the odd places.
  return (
    <bdi>
      {text.search(UNSEEN) >= 0
        ? text.split(UNSEEN).map((piece, at) => (at % 2 === 0 ? piece : <Unseen key={at} character={piece} />))
        : text}
    </bdi>
  );
}

function Unseen({ character }: { character: string }) {
  return <span class="control">{nameOf(character)}</span>;
}

/** Scripts that are written from right to left: Hebrew, Arabic, Syriac, Thaana, NKo and their neighbours. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The direction of a text, by its first letter: so that a line which is too long is cut at its end, and not at its
 * beginning. `dir=auto` passes over what `Visible` isolates.
 */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [first = ''] = /\p{L}/u.exec(text) ?? [];
  return RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr';
}

/** The same as one string, for texts so long that elements in them would keep the browser from answering. */
export function writtenOut(text: string): string {
  return text.replace(UNSEEN, (character) => `[${nameOf(character)}]`);
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
