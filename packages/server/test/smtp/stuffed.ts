/** A message, which ends with CRLF or is empty, as a client sends it after DATA (RFC 5321 section 4.5.2). */
export function stuffed(message: Uint8Array): Buffer {
  const lines = Buffer.from(message).toString('latin1').split('\r\n');
  const sent = lines.map((line) => (line.startsWith('.') ? `.${line}` : line)).join('\r\n');
  return Buffer.from(`${sent}.\r\n`, 'latin1');
}
