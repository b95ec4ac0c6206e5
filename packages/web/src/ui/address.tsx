/** Whether an address leads to a page, and may be opened. */
export function isWeb(href: string): boolean {
  return /^https?:\/\//i.test(href) && URL.canParse(href);
}

/** The address of a link as a browser would understand it, with the host that it leads to in bold. */
export function LinkAddress({ href }: { href: string }) {
  if (!isWeb(href)) return <bdi>{href}</bdi>;
  const { protocol, username, password, host, pathname, search, hash } = new URL(href);
  const hasCredentials = username !== '' || password !== '';
  const credentials = `${username}${password === '' ? '' : `:${password}`}@`;
  return (
    <>
      <bdi>
        {`${protocol}//`}
        {hasCredentials && credentials}
        <strong>{host}</strong>
        {pathname}
        {search}
        {hash}
      </bdi>
      {hasCredentials && (
        <span class="warning">
          What stands before @ is a user name and no host: this leads to <strong>{host}</strong>.
        </span>
      )}
    </>
  );
}
