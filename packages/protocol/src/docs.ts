/** Base of the URLs of the user pages. `mayfly help TOPIC` prints the page of the same name. */
export const DOCS_URL = 'https://OWNER.github.io/mayfly/';

/** URL of a user page, such as `isolation#private-inboxes`. `MAYFLY_DOCS_URL` replaces the base, for a copy of the site. */
export function docsUrl(page: string): string {
  const { process } = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string>> } };
  const base = process?.env?.MAYFLY_DOCS_URL || DOCS_URL;
  return base.endsWith('/') ? base + page : `${base}/${page}`;
}
