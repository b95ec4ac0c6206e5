/** As Postmark makes it, so that an application can compute it from the MessageID in an answer. */
export function messageIdOf(id: string): string {
  return `<${id}@mtasv.net>`;
}
