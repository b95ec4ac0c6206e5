export function isWeb(href: string): boolean {
  return /^https?:\/\//i.test(href) && URL.canParse(href);
}

/** A URL as browsers parse it, with its host in bold. */
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
          The text before @ is a user name, not a host: this leads to <strong>{host}</strong>.
        </span>
      )}
    </>
  );
}
