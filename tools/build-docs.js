// Copies the pages of docs/ into the packages whose command prints them ("mayfly help TOPIC"). In the copies, links to
// other pages lead to the documentation site, and links to files lead into the repository.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DOCS_URL } from '../packages/protocol/dist/docs.js';
import { isUpToDate } from './build.js';
import { repositoryOf } from './manifests.js';

const PAGES = 'docs';
const PACKAGES = ['packages/client/docs', 'packages/server/docs'];
const LINK = /(?<=\]\()(?![a-z]+:|#)(?<file>[^()\s#]+)(?<anchor>#[^()\s]+)?(?=\))/g;
/** A comment that marks a generated part of a page. The copies omit it. */
const COMMENT = /^<!-- .* -->\n+/gm;

const repository = repositoryOf(JSON.parse(readFileSync('package.json', 'utf8')));
const pages = readdirSync(PAGES).filter((name) => name.endsWith('.md'));

for (const folder of PACKAGES) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder).filter((one) => !pages.includes(one))) rmSync(path.join(folder, name));
  for (const name of pages) {
    const [source, copy] = [PAGES, folder].map((one) => path.join(one, name));
    if (isUpToDate(copy, [source, 'tools/build-docs.js', 'package.json'])) continue;
    const text = readFileSync(source, 'utf8').replace(COMMENT, '');
    writeFileSync(
      copy,
      text.replace(LINK, (_, file, anchor = '') => urlOf(file) + anchor),
    );
  }
}

function urlOf(file) {
  const target = path.posix.join(PAGES, file);
  const page = /^docs\/(?<name>.+)\.md$/.exec(target)?.groups.name;
  return page === undefined ? `https://github.com/${repository}/blob/main/${target}` : DOCS_URL + page;
}
