/** A `warning` deserves attention. With a `problem`, Mayfly cannot work. */
export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly text: string;
}

/** Returns template tags, such as `say.ok`, that turn a text into a finding of this check. */
export function findings(check: string) {
  const at =
    (level: Level) =>
    (texts: TemplateStringsArray, ...values: readonly unknown[]): Finding => {
      return { check, level, text: String.raw({ raw: texts }, ...values) };
    };
  return { ok: at('ok'), warning: at('warning'), problem: at('problem') };
}

/** Formats a count as "1 email" or "2 emails", for nouns that take an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
