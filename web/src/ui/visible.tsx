/** Characters that show nothing, or turn the direction of what stands around them: of these a text could lie. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** What joins letters and emoji, and does no harm. */
const HARMLESS = new Set(['\u200c', '\u200d', '\n', '\t']);

/** A text of a stranger: what cannot be seen in it is written out, and it changes the direction of nothing beside it. */
export function Visible({ text }: { text: string }) {
  return <bdi>{UNSEEN.test(text) ? [...text].map(shown) : text}</bdi>;
}

function shown(character: string, position: number) {
  if (!UNSEEN.test(character) || HARMLESS.has(character)) return character;
  return (
    <span class="control" key={position}>
      {`U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`}
    </span>
  );
}
