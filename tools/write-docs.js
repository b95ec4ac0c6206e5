// Writes the generated parts of the documentation. With --check it writes nothing and exits with 1 if a document
// differs from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import * as causes from '../packages/client/dist/wait/causes.js';
import { docsUrl } from '../packages/protocol/dist/docs.js';
import { settingsLists } from '../packages/server/dist/commands/command.js';
import { errorLists, table } from './docs/errors.js';
import { httpReference } from './docs/http.js';
import { optionsOf } from './options.js';
import { containerSettings } from './types.js';

const END = '<!-- end of the made part -->';

/** Each combination of STARTTLS and AUTH that a service may offer, in the order that the Python client expects. */
const OFFERS = [false, true].flatMap((startTls) =>
  [false, true].map((authWithoutTls) => ({ port: '{port}', domains: [], startTls, authWithoutTls })),
);

const { check: isCheck } = optionsOf('Usage: npm run docs -- [--check]', { check: { type: 'boolean' } });
const api = JSON.parse(readFileSync('packages/server/api/openapi.json', 'utf8'));
write('docs/configuration.md', 'packages/server/src/settings/table.ts', settingsLists());
write('docs/http.md', 'packages/server/operations.yaml', httpReference(api));
const matrix = 'plugins/send-apis/test/sdks/sdks.json';
write('docs/send-apis.md', matrix, sdkTable(JSON.parse(readFileSync(matrix, 'utf8'))));
write('docs/errors.md', 'packages/server/src/errors.ts', errorLists(api));
keep('clients/python/src/mayfly_client/causes.json', timeoutCauses());
keep('packages/client/src/fixtures/container-settings.ts', containerSettings());

/** Writes a generated text between its marks in a document, or checks it with --check. */
function write(document, source, made) {
  const begin = `<!-- made from ${source} by "npm run docs" -->`;
  const [before, rest] = readFileSync(document, 'utf8').split(begin);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${document} has lost the marks around its generated part.`);
  keep(document, `${before}${begin}\n\n${made}\n\n${END}${after}`);
}

/** Writes a generated file, or checks it with --check. */
function keep(document, whole) {
  if (!isCheck) writeFileSync(document, whole);
  else if (whole === readFileSync(document, 'utf8')) console.log(`docs: ${document} is up to date`);
  else {
    console.error(`docs: ${document} differs from the code. Run "npm run docs" and commit the result.`);
    process.exitCode = 1;
  }
}

/** Returns the JavaScript client's causes and fixes of timeouts as JSON for the Python client. */
function timeoutCauses() {
  const sessions = Object.entries(causes.SESSIONS).map(([outcome, cause]) => {
    const texts = OFFERS.map(cause);
    return [outcome, texts.every((text) => text === texts[0]) ? texts[0] : texts];
  });
  const table = {
    newSpace: causes.NEW_SPACE,
    sessions: Object.fromEntries(sessions),
    otherSide: causes.OTHER_SIDE,
    others: causes.OTHERS,
    cures: causes.CURES,
    endings: causes.ENDINGS,
    nothingSent: causes.NOTHING_SENT,
    noText: causes.NO_TEXT,
    validators: causes.VALIDATORS,
    unshown: ['a@inbox.example.com', 'a--hold@inbox.example.com'].map(causes.unshown),
  };
  return `${JSON.stringify(table, null, 2).replaceAll(docsUrl(''), '{docs}')}\n`;
}

/** Makes the table of the tested SDKs, with what each one cannot send (plugins/send-apis/test/sdks/sdks.json). */
function sdkTable({ sending, refused, sdks }) {
  const rows = sdks.map(({ provider, language, sdk, lacks }) => {
    const missing = Object.keys(refused).filter((name) => name in lacks).length;
    const kinds = Object.keys(sending).filter((name) => name in lacks);
    const parts = kinds.map((name) => (lacks[name] === '–' ? sending[name] : `${sending[name]} (${lacks[name]})`));
    if (missing > 0) parts.push(`${missing} of ${Object.keys(refused).length} errors`);
    return [provider, `${language}: ${sdk}`, parts.join(', ')];
  });
  const groups = new Map();
  for (const [provider, sdk, lacks] of rows) {
    const key = `${provider} ${lacks}`;
    groups.set(key, [provider, [groups.get(key)?.[1], sdk].filter(Boolean).join('; '), lacks]);
  }
  return table(['Provider', 'SDKs', 'Except'], [...groups.values()]);
}
