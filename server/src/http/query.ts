/**
 * Reads a query string, or a form. A parameter that is given twice becomes a list, which no schema takes; a text that is not
 * UTF-8 in percent-encoding is read with replacement characters. Linear: this is done before anything of a request is counted,
 * and a query may have thousands of names.
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
