/** All is well, worth a look, or Mayfly cannot work. */
export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly text: string;
}

export function findings(check: string): Record<Level, (text: string) => Finding> {
  const at = (level: Level) => (text: string) => ({ check, level, text });
  return { ok: at('ok'), warning: at('warning'), problem: at('problem') };
}

/** "1 email", "2 emails": for nouns that take an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
