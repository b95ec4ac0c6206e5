// Configures the documentation site, which shows the Markdown in docs/. Run by "npm run docs:site".
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';
import { repositoryOf } from '../../../tools/manifests.js';
import { finishSite } from '../finish.js';
import { groups } from '../pages.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const project = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const repository = repositoryOf(project);
const github = `https://github.com/${repository}`;

export default defineConfig({
  title: 'Mayfly',
  description: project.description,
  lang: 'en',
  srcDir: '..',
  ignoreDeadLinks: 'localhostLinks',
  srcExclude: ['site/{node_modules,dist}/**'],
  rewrites: { 'site/:page.md': ':page.md' },
  outDir: 'dist',
  // GitHub Pages serves a project's site under the path of its name.
  base: process.env.SITE_BASE ?? `/${repository.split('/')[1]}/`,
  cleanUrls: true,
  markdown: {
    anchor: { slugify: slug },
    // Braces at the end of a line are text, not attributes.
    attrs: { disable: true },
    config(md) {
      // Turns off Vue templates in the text.
      for (const rule of ['text', 'code_inline']) {
        const render = md.renderer.rules[rule];
        md.renderer.rules[rule] = (...args) => render(...args).replaceAll('{{', '&#123;{');
      }
      md.core.ruler.push('links-to-repository', ({ tokens, env }) => linkToRepository(tokens, env.path));
      md.core.ruler.push('code-groups', groupFences);
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'HTTP API', link: '/api' },
      { text: 'Changelog', link: `${github}/blob/main/CHANGELOG.md` },
    ],
    sidebar: groups.map(({ title, pages }) => ({
      text: title,
      items: Object.entries(pages).map(([name, text]) => ({ text, link: `/${name}` })),
    })),
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: github }],
    editLink: { pattern: `${github}/edit/main/docs/:path`, text: 'Edit this page' },
    footer: { message: 'MIT license' },
    notFound: { quote: 'There is no page at this address. Search the documentation, or start at the home page.' },
  },
  vite: {
    // Resolves Vue to this package's copy, which the pages would not find, because they are outside of the package.
    plugins: [{ name: 'vue-of-site', enforce: 'pre', resolveId: externalVue }],
    build: { chunkSizeWarningLimit: 2_000 },
  },
  buildEnd: finishSite,
});

function externalVue(id, _importer, { ssr }) {
  return ssr && /^vue(?:\/server-renderer)?$/.test(id) ? { id, external: true } : null;
}

/** Replaces relative links to files outside the site, which work in the repository only, by URLs of the repository. */
function linkToRepository(tokens, page) {
  for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open')) {
    const href = link.attrGet('href');
    if (/^(?:[a-z]+:|#|\/)/.test(href)) continue;
    const [file, anchor] = href.split('#');
    const target = path.relative(ROOT, path.resolve(path.dirname(page), file));
    if (target.startsWith('docs/') && target.endsWith('.md')) continue;
    link.attrSet('href', `${github}/blob/main/${target}${anchor === undefined ? '' : `#${anchor}`}`);
  }
}

/** Puts code blocks that follow each other and have a label, as in "```ts [Playwright]", into tabs. */
function groupFences(state) {
  const isLabeled = (token) => token?.type === 'fence' && /\[.+\]$/.test(token.info);
  state.tokens = state.tokens.flatMap((token, at, all) => {
    if (!isLabeled(token)) return [token];
    const edges = [
      [all[at - 1], 'open', 1],
      [all[at + 1], 'close', -1],
    ].map(([neighbor, name, nesting]) =>
      isLabeled(neighbor) ? [] : [new state.Token(`container_code-group_${name}`, 'div', nesting)],
    );
    return [...edges[0], token, ...edges[1]];
  });
}
