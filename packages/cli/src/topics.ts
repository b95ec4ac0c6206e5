import { DOCS_URL, docsUrl } from 'mayfly-protocol/docs';
import type { Files } from './files.js';

const PAGE = '.md';

/** The topics of `mayfly help`: the documentation for users, whose pages the build copies into both packages. */
export function topicsIn(files: Files): string[] {
  const pages = files.names().filter((name) => name.endsWith(PAGE));
  return pages.map((name) => name.slice(0, -PAGE.length)).sort();
}

/** Returns the topic that a user wrote as a name (`vitest`) or as a file (`docs/vitest.md`). */
export function topicOf(written: string): string {
  return written.replace(/^(?:\.\/)?docs\/|\.md$/g, '');
}

/** A page as Markdown. Its links are absolute URLs, so a terminal can open them. */
export function pageOf(files: Files, topic: string): string {
  return files
    .read(topic + PAGE)
    .toString()
    .replaceAll(DOCS_URL, () => docsUrl(''));
}
