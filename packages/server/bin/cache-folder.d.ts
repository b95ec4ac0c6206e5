import type { Stats } from 'node:fs';

export const VARIABLE: string;
export function cacheFolder(): string | null;
export function makeCacheFolder(folder: string): void;
export function refuseForeign(found: Stats, what: string): void;
