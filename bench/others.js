// Other servers that are measured beside ours.

/**
 * Reads `NAME=SMTP_PORT,HTTP_URL` as `{ name, host, smtpPort, httpPort, path }`: a server of this machine; `path` has
 * `{inbox}` where the name of an inbox belongs. Throws a sentence when it is no such text.
 */
export function parseOther(text) {
  const [, name, smtp, url] = /^([^=]+)=(\d+),(http:\/\/.+)$/.exec(text) ?? [];
  const smtpPort = Number(smtp);
  const parsed = url === undefined || !URL.canParse(url) ? null : new URL(url);
  if (parsed === null || !(smtpPort > 0 && smtpPort < 65_536)) {
    throw new Error(`--against ${text} is not valid: write NAME=SMTP_PORT,HTTP_URL`);
  }
  if (!isLoopback(parsed.hostname)) throw new Error(`--against ${text} is not valid: only this machine is measured`);
  const path = decodeURI(parsed.pathname + parsed.search);
  return { name, host: '127.0.0.1', smtpPort, httpPort: Number(parsed.port || 80), path };
}

/** Resolves to what a server answers of the newest mail of an inbox, or null while it has none. */
export async function readOther(other, connection, inbox) {
  const { pathOf = (_connection, name) => other.path.replaceAll('{inbox}', name) } = other;
  const path = await pathOf(connection, inbox);
  if (path === null) return null;
  const { status, body } = await connection.get(path);
  return status === 200 ? body : null;
}

function isLoopback(host) {
  return host === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
