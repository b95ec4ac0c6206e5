/** Resolves when whatever else the event loop has at hand has had its turn. The one place where a store waits by itself. */
export function turn(): Promise<void> {
  return new Promise(setImmediate);
}
