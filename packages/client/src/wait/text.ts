/** What a text is compared with: a part of it, whatever the case, or a pattern. */
export type Pattern = string | RegExp;

export function contains(text: string, wanted: Pattern = ''): boolean {
  // search() takes no notice of where a global pattern was left by its last use.
  return wanted instanceof RegExp ? text.search(wanted) >= 0 : seen(text).includes(seen(wanted));
}

/** What a reader sees of a text, in any case. Whatever the service finds in it is found. */
function seen(text: string): string {
  return text
    .toLowerCase()
    .normalize()
    .replace(/\p{DI}/gu, '')
    .replace(/\s+/gu, ' ');
}

export function shownPattern(wanted: Pattern): string {
  return wanted instanceof RegExp ? `${wanted}` : `"${wanted}"`;
}

export function parsed<T>(text: string): T | null | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
