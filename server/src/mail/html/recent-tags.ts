/** How many tags are remembered at once. A real mail writes fewer than 100 in all its ways. */
const SLOTS = 256;

/**
 * What was read of the last tags. A slot is found by a tag's length and two characters, which costs less than a hash of it; a tag that
 * needs the same slot takes it over.
 */
export class RecentTags<Value> {
  readonly #slots: ({ readonly written: string; readonly value: Value } | undefined)[] = new Array(SLOTS);

  find(html: string, from: number, end: number): Value | undefined {
    const recent = this.#slots[slotOf(html, from, end)];
    return recent !== undefined && html.slice(from, end) === recent.written ? recent.value : undefined;
  }

  keep(html: string, from: number, end: number, value: Value): void {
    this.#slots[slotOf(html, from, end)] = { written: html.slice(from, end), value };
  }
}

function slotOf(html: string, from: number, end: number): number {
  const length = end - from;
  const middle = html.charCodeAt(from + (length >> 1));
  const later = html.charCodeAt(from + ((length * 3) >> 2));
  return (length + middle * 31 + later * 7) & (SLOTS - 1);
}
