/** An error known by its name, whichever copy of this package made it: a plugin from outside may bring its own. */
export class NamedError extends Error {
  static override [Symbol.hasInstance](
    this: { readonly name: string; readonly prototype: object },
    value: unknown,
  ): boolean {
    if (!(value instanceof Error)) return false;
    // biome-ignore lint/complexity/noThisInStatic: the class that stands on the right of instanceof.
    return value.name === this.name || Object.prototype.isPrototypeOf.call(this.prototype, value);
  }
}
