/** Base of the URLs of the user pages. `mayfly help TOPIC` prints the page of the same name. */
export const DOCS_URL = 'https://OWNER.github.io/mayfly/';

/** URL of a user page, such as `isolation#private-inboxes`. `MAYFLY_DOCS_URL`, if it is http(s), replaces the base. */
export function docsUrl(page: string): string {
  const { process } = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string>> } };
  const base = process?.env?.MAYFLY_DOCS_URL?.match(/^https?:\/\/[!-~]+$/)?.[0] ?? DOCS_URL;
  return base.endsWith('/') ? base + page : `${base}/${page}`;
}
