/** Elements whose content no reader sees. */
const UNSEEN = ['script', 'style', 'template', 'title', 'noscript'];

/** The text between the tags of a page, with single spaces. Linear for any input: no tag is looked at twice. */
export function visibleText(page: string): string {
  const lower = page.toLowerCase();
  const texts: string[] = [];
  let at = 0;
  while (at < page.length) {
    const open = lower.indexOf('<', at);
    texts.push(page.slice(at, open === -1 ? undefined : open));
    if (open === -1) break;
    const unseen = UNSEEN.find((name) => lower.startsWith(name, open + 1));
    const end = unseen === undefined ? open : lower.indexOf(`</${unseen}`, open);
    const close = end === -1 ? -1 : lower.indexOf('>', end);
    if (close === -1) break;
    at = close + 1;
  }
  return texts.join(' ').replace(/\s+/g, ' ').trim();
}
