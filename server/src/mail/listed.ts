/** Some things of a message, and whether these are all that it has, or a bound was reached. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly isWhole: boolean;
}
