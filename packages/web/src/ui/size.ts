const UNITS = ['B', 'KB', 'MB', 'GB'];

/** A number of bytes, such as `12 KB` or `1.4 MB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1_000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}
