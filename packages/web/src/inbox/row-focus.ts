/** Focuses the row of an email, once it is there. */
export function focusRow(key: string | null): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus());
}

/** The key of the email whose row has the focus, or null. */
export function focusedRow(): string | null {
  return (document.activeElement as HTMLElement | null)?.dataset.key ?? null;
}

/** Focuses the email that is shown, once it is there: from its subject on, Tab goes through it. */
export function focusMail(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.mail .title')?.focus());
}
