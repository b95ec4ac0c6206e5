/** `ok`; `warning`: worth a look; `problem`: Mayfly cannot work. */
export type Level = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly text: string;
}

/** Template tags: `say.ok` and the others turn a text into a finding of the check. */
export function findings(check: string) {
  const at =
    (level: Level) =>
    (texts: TemplateStringsArray, ...values: readonly unknown[]): Finding => {
      return { check, level, text: String.raw({ raw: texts }, ...values) };
    };
  return { ok: at('ok'), warning: at('warning'), problem: at('problem') };
}

/** "1 email", "2 emails": for nouns that take an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
