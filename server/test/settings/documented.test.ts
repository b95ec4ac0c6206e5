import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingNames } from '../../src/settings/reading.js';
import { SETTINGS } from '../../src/settings/table.js';

const DOCUMENT = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');

/** What somebody wrote before the table that is made. */
const [HOW_IT_IS_WRITTEN = ''] = DOCUMENT.split('<!-- made');

test.each(settingNames())('docs/configuration.md says how a value of --%s is written', (name) => {
  const { placeholder } = SETTINGS[name].kind;
  if (placeholder === '') expect(HOW_IT_IS_WRITTEN).toContain('| on or off |');
  else expect(HOW_IT_IS_WRITTEN).toContain(`\n| \`${placeholder}\` |`);
});
