/** The parts of a parsed address that ask for HTTP Basic. */
export type Credentials = Pick<URL, 'username' | 'password'>;

/** The header for the user and password of an address (RFC 7617): none if it has neither. */
export function basicAuth({ username, password }: Credentials): { authorization?: string } {
  if (username === '' && password === '') return {};
  return { authorization: `Basic ${btoa(`${unescaped(username)}:${unescaped(password)}`)}` };
}

/** An address as `fetch()` takes it, which refuses one with user and password. */
export function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** One letter for each byte. A parsed address is ASCII, and may hold a `%` that escapes nothing. */
function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
