export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export type Credentials = Pick<URL, 'username' | 'password'>;

/** The Authorization header for the user and password in a URL (RFC 7617); empty if the URL has neither. */
export function basicAuth({ username, password }: Credentials): { authorization?: string } {
  if (username === '' && password === '') return {};
  return { authorization: `Basic ${btoa(`${unescaped(username)}:${unescaped(password)}`)}` };
}

/** Decodes each escape to one character, as `btoa` needs. Keeps a `%` that begins no escape. */
function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Removes user and password, because `fetch()` rejects a URL that contains them. */
export function withoutCredentials(address: string): string {
  return Object.assign(new URL(address), { username: '', password: '' }).href;
}

/** Reads up to `most` bytes of a body until `over` resolves. Returns the text, and the error if the body broke off. */
export async function beginningOf({ body }: Response, most: number, over = new Promise<void>(() => {})) {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  const end = over.then(() => ({ value: undefined }));
  let text = '';
  let room = most;
  let failure: unknown;
  try {
    while (reader && room > 0) {
      const { value } = await Promise.race([reader.read(), end]);
      if (value === undefined) break;
      text += decoder.decode(value.subarray(0, room), { stream: true });
      room -= value.length;
    }
  } catch (error) {
    failure = error;
  }
  reader?.cancel().catch(() => {});
  return { text, isWhole: room > 0, failure };
}
