import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DOCS_URL, docsUrl } from 'mayfly-protocol/docs';

const PAGE = '.md';

/** The topics of `mayfly help`: the documentation for users, whose pages the build copies to this folder. */
export function topicsIn(folder: string): string[] {
  const pages = readdirSync(folder).filter((name) => name.endsWith(PAGE));
  return pages.map((name) => name.slice(0, -PAGE.length)).sort();
}

/** Returns the topic that a user wrote as a name (`vitest`) or as a file (`docs/vitest.md`). */
export function topicOf(written: string): string {
  return written.replace(/^(?:\.\/)?docs\/|\.md$/g, '');
}

/** A page as Markdown. Its links are absolute URLs, so a terminal can open them. */
export function pageOf(folder: string, topic: string): string {
  return readFileSync(path.join(folder, topic + PAGE), 'utf8').replaceAll(DOCS_URL, () => docsUrl(''));
}
