/** How serious a finding is: all is well, worth a look, or something that keeps Mayfly from working. */
export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  /** What was looked at, such as `certificate`. */
  readonly check: string;
  readonly level: Level;
  /** What is so, and what to do about it where something is wrong. */
  readonly text: string;
}

export function findings(check: string): Record<Level, (text: string) => Finding> {
  const at = (level: Level) => (text: string) => ({ check, level, text });
  return { ok: at('ok'), warning: at('warning'), problem: at('problem') };
}

/** A number and what it counts: "1 email", "2 emails". The noun is one that takes an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
