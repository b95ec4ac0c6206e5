/** Focuses the row of an email, once it is there. */
export function focusRow(key: string | null): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus());
}
