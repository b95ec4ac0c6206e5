import { table } from './tables.js';

/** Which SDKs the tests send with, and what with each (plugins/send-apis/test/sdks/sdks.json). */
export function sdkTable({ sending, refused, sdks }) {
  const errors = Object.keys(refused).length;
  return table(
    ['Provider', 'SDK', ...Object.values(sending), 'errors'],
    sdks.map(({ provider, language, sdk, lacks }) => {
      const missing = Object.keys(refused).filter((name) => name in lacks);
      return [
        provider,
        `${language}: ${sdk}`,
        ...Object.keys(sending).map((name) => lacks[name] ?? '✓'),
        missing.length === 0 ? '✓' : `${errors - missing.length} of ${errors}`,
      ];
    }),
  );
}
