/**
 * Reads a query string or a form. A repeated parameter becomes a list, which no schema takes; broken UTF-8 becomes replacement
 * characters. Linear: nothing is counted yet, and a query may have thousands of names.
 */
export function readQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  if (text === '') return query;
  for (const [name, value] of new URLSearchParams(text)) {
    const known = query[name];
    if (known === undefined) query[name] = value;
    else if (typeof known === 'string') query[name] = [known, value];
    else known.push(value);
  }
  return query;
}
