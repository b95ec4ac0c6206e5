/** How a body may be compressed, the best way first: of two that a client likes as much, it gets the first. */
export const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** A longer Accept-Encoding is not looked at. Browsers send some 30 characters. */
const MAX_HEADER_LENGTH = 1_024;

/**
 * The encoding that a client likes best, by its Accept-Encoding (RFC 9110 section 12.5.3); null where that is none. `identity` is a
 * choice like others where it is named, and the last one where it is not.
 */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  const accepted = [header ?? ''].flat().join(',').toLowerCase();
  if (accepted === '' || accepted.length > MAX_HEADER_LENGTH) return null;
  const weights = new Map(accepted.split(',').map(weighted));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [best] = ENCODINGS.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0 || weightOf(best) < (weights.get('identity') ?? 0)) return null;
  return best;
}

/** A name and its weight (RFC 9110 section 12.4.2), which is 0 where it is none that can be read. */
function weighted(part: string): [name: string, weight: number] {
  const [name = '', parameter] = part.split(';').map((piece) => piece.trim());
  if (parameter === undefined) return [name, 1];
  const weight = /^q\s*=\s*([01](?:\.\d*)?)$/.exec(parameter)?.[1];
  return [name, Math.min(Number(weight ?? 0), 1)];
}
