export const VARIABLE: string;
export function cacheFolder(): string | null;
