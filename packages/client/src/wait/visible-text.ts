/** Elements whose content no reader sees. */
const UNSEEN = ['script', 'style', 'template', 'title', 'noscript'];

/** The references that templates and frameworks write. */
const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text between the tags of a page, with single spaces. Linear for any input: no tag is looked at twice. */
export function visibleText(page: string): string {
  // toLowerCase() makes two letters of one "İ", and positions would differ.
  const lower = page.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const texts: string[] = [];
  let at = 0;
  while (at < page.length) {
    const open = lower.indexOf('<', at);
    texts.push(page.slice(at, open === -1 ? undefined : open));
    if (open === -1) break;
    const end = endOfTag(lower, open);
    if (end === -1) break;
    at = end;
  }
  return unescaped(texts.join(' ')).replace(/\s+/g, ' ').trim();
}

/** Where the text goes on after a tag, a comment or an unseen element; -1 if it does not. */
function endOfTag(lower: string, open: number): number {
  if (lower.startsWith('<!--', open)) return after(lower, '-->', open + 2);
  const unseen = UNSEEN.find((name) => lower.startsWith(name, open + 1));
  const last = unseen === undefined ? open : lower.indexOf(`</${unseen}`, open);
  return last === -1 ? -1 : after(lower, '>', last);
}

function after(text: string, sought: string, from: number): number {
  const at = text.indexOf(sought, from);
  return at === -1 ? -1 : at + sought.length;
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return REFERENCES[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
