/** Whether a text has a part, whatever the case, or matches a pattern. */
export function contains(text: string, wanted: string | RegExp): boolean {
  // search() takes no notice of where a global pattern was left by its last use.
  return wanted instanceof RegExp ? text.search(wanted) >= 0 : text.toLowerCase().includes(wanted.toLowerCase());
}
