/** Base URL of the user documentation. `mayfly help TOPIC` prints the page TOPIC. */
export const DOCS_URL = 'https://OWNER.github.io/mayfly/';

/** URL of a documentation page, such as `isolation#private-inboxes`. An http(s) `MAYFLY_DOCS_URL` replaces the base. */
export function docsUrl(page: string): string {
  const { process } = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string>> } };
  const base = process?.env?.MAYFLY_DOCS_URL?.match(/^https?:\/\/[!-~]+$/)?.[0] ?? DOCS_URL;
  return base.endsWith('/') ? base + page : `${base}/${page}`;
}
