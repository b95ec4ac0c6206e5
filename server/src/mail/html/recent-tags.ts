/** How many tags are remembered at once. A real mail writes fewer than 100 in all its ways. */
const SLOTS = 256;

/**
 * What was read of the tags that were written last. A tag has one slot, by its length and two of its characters, and one
 * that needs the same slot takes it over: to look up costs a comparison, which is less than a hash of the whole tag.
 */
export class RecentTags<Value> {
  readonly #slots: ({ readonly written: string; readonly value: Value } | undefined)[] = new Array(SLOTS);

  /** What was read of the tag between two places of some HTML, or undefined. */
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
