/** The preferred one first. */
const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Browsers send some 30 characters. */
const MAX_HEADER_LENGTH = 1_024;

/** The preferred encoding of an Accept-Encoding (RFC 9110 section 12.5.3), or null. An unnamed `identity` comes last. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  const accepted = [header ?? ''].flat().join(',').toLowerCase();
  if (accepted === '' || accepted.length > MAX_HEADER_LENGTH) return null;
  const weights = new Map(accepted.split(',').map(weighted));
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [best] = ENCODINGS.toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0 || weightOf(best) < (weights.get('identity') ?? 0)) return null;
  return best;
}

/** RFC 9110 section 12.4.2; 0 for a weight that cannot be read. */
function weighted(part: string): [name: string, weight: number] {
  const [name = '', parameter] = part.split(';').map((piece) => piece.trim());
  if (parameter === undefined) return [name, 1];
  const weight = /^q\s*=\s*([01](?:\.\d*)?)$/.exec(parameter)?.[1];
  return [name, Math.min(Number(weight ?? 0), 1)];
}
