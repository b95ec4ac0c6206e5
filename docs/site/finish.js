// Adds to the built pages: the Markdown of each page and llms.txt for programs, and the API document. The build fails
// if a link leads to an anchor that the target page lacks; VitePress itself finds links to missing pages.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { groups } from './pages.js';

export function finishSite({ outDir, srcDir, pages, rewrites, site }) {
  copyFileSync(path.join(srcDir, '../packages/server/api/openapi.json'), path.join(outDir, 'openapi.json'));
  for (const page of pages) {
    const target = path.join(outDir, rewrites.map[page] ?? page);
    copyFileSync(path.join(srcDir, page), target);
  }
  writeFileSync(path.join(outDir, 'llms.txt'), llmsText(outDir, site));
  const wrong = [...unlistedPages(pages, rewrites), ...wrongAnchors(outDir, site.base)];
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

/** The list of pages, each with its first sentence, in the format of https://llmstxt.org. */
function llmsText(outDir, { title, description, base }) {
  const lists = groups.map((group) => {
    const links = Object.entries(group.pages).map(([name, title]) => {
      const text = readFileSync(path.join(outDir, `${name}.md`), 'utf8');
      const plain = /^# .*\n\n([A-Z].*?\.)\s/.exec(text)?.[1].replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
      return `- [${title}](${base}${name}.md)${plain ? `: ${plain}` : ''}`;
    });
    return `## ${group.title}\n\n${links.join('\n')}`;
  });
  return `# ${title}\n\n> ${description}\n\n${lists.join('\n\n')}\n`;
}

function unlistedPages(pages, rewrites) {
  const listed = groups.flatMap((group) => Object.keys(group.pages));
  return pages
    .map((page) => (rewrites.map[page] ?? page).replace(/\.md$/, ''))
    .filter((name) => name !== 'index' && !listed.includes(name))
    .map((name) => `docs/site/pages.js does not list ${name}.md.`);
}

/** Returns the links to headings that the target page lacks. */
function wrongAnchors(outDir, base) {
  const files = readdirSync(outDir, { recursive: true }).filter((name) => name.endsWith('.html'));
  const texts = new Map(files.map((name) => [name, readFileSync(path.join(outDir, name), 'utf8')]));
  return [...texts].flatMap(([name, text]) =>
    [...text.matchAll(/ href="(?<page>[^"#:]*)#(?<anchor>[^"]+)"/g)]
      .filter(({ groups: { page, anchor } }) => {
        const local = page.startsWith(base) ? page.slice(base.length) : path.posix.join(path.dirname(name), page);
        const target = page === '' ? name : `${local || 'index'}.html`;
        return !texts.get(target)?.includes(` id="${decodeURIComponent(anchor)}"`);
      })
      .map(([link]) => `${name} has a link to a heading that is not there:${link}`),
  );
}
