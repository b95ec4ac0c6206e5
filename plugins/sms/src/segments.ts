/** The default alphabet of GSM-7 (3GPP TS 23.038 section 6.2.1), and its extension, whose characters take two places. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION = '\f^{}\\[~]|€';

const SIZES = new Map([...[...BASIC].map((char) => [char, 1] as const), ...[...EXTENSION].map((c) => [c, 2] as const)]);

/** Places in a message, and in each part of a longer message, which loses some to its header. */
const GSM_7 = { one: 160, part: 153 } as const;
const UCS_2 = { one: 70, part: 67 } as const;

/** Counts the messages that a text takes, as providers bill it. No character is split between two parts. */
export function segmentsOf(text: string): number {
  const chars = [...text];
  const isGsm = chars.every((char) => SIZES.has(char));
  const sizes = chars.map((char) => (isGsm ? (SIZES.get(char) ?? 1) : char.length));
  const { one, part } = isGsm ? GSM_7 : UCS_2;
  if (sizes.reduce((sum, size) => sum + size, 0) <= one) return 1;
  let segments = 1;
  let left: number = part;
  for (const size of sizes) {
    if (size > left) {
      segments += 1;
      left = part;
    }
    left -= size;
  }
  return segments;
}
