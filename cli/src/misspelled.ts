/**
 * The one of `names` that a caller most likely meant by another: the same letters in another case or with other
 * separators (`hasotp`, `has_otp`), without the `has` of a flag (`otp`), or one slip away (`form`, `subjects`). Null
 * where none is so near. A long text costs no more than a short one.
 */
export function meantBy(text: string, names: readonly string[]): string | null {
  return (
    names.find(
      (name) =>
        text.length < 2 * name.length &&
        (isSameWord(text, name) || isSameWord(`has${text}`, name) || isOneSlip(text, name)),
    ) ?? null
  );
}

function isSameWord(text: string, name: string): boolean {
  const [given, meant] = [text, name].map((word) => word.toLowerCase().replaceAll(/[-_. ]/g, ''));
  return given === meant;
}

/** Whether one character was added, left out or replaced, or two neighbours were swapped. */
function isOneSlip(text: string, name: string): boolean {
  let start = 0;
  while (start < name.length && text[start] === name[start]) start += 1;
  const [given, meant] = [text.slice(start), name.slice(start)];
  return (
    given.slice(1) === meant ||
    given === meant.slice(1) ||
    given.slice(1) === meant.slice(1) ||
    (given[0] === meant[1] && given[1] === meant[0] && given.slice(2) === meant.slice(2))
  );
}
