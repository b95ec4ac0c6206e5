import type { Kind } from './kinds.js';

/** Another setting, without which one has no effect. */
export interface Needed {
  readonly setting: string;
  /** `{it}` is the setting, `{needed}` the other, as the operator writes them. */
  readonly sentence: string;
}

/** What a plugin may say of a setting besides. */
interface Placed {
  /** The group of `mayfly serve --help`; the plugin's own if omitted. */
  readonly group?: string;
  readonly needs?: Needed;
}

export interface Setting<T = unknown> extends Placed {
  readonly kind: Kind<T>;
  /** As operators write it; null for none. */
  readonly default: string | null;
  readonly several: boolean;
  readonly description: string;
}

export interface One<T> extends Setting<T> {
  readonly several: false;
  readonly default: string;
}
export interface Optional<T> extends Setting<T> {
  readonly several: false;
  readonly default: null;
}
export interface Several<T> extends Setting<T> {
  readonly several: true;
}

/** A setting with a default. */
export function one<T>(kind: Kind<T>, standard: string, description: string, placed: Placed = {}): One<T> {
  return { kind, default: standard, several: false, description, ...placed };
}

/** A setting without a default: its value may be null. */
export function optional<T>(kind: Kind<T>, description: string, placed: Placed = {}): Optional<T> {
  return { kind, default: null, several: false, description, ...placed };
}

/** A setting with any number of values. */
export function several<T>(
  kind: Kind<T>,
  standard: string | null,
  description: string,
  placed: Placed = {},
): Several<T> {
  return { kind, default: standard, several: true, description, ...placed };
}

/** The values of a table of settings. */
export type ValuesOf<Table extends Readonly<Record<string, Setting>>> = {
  readonly [N in keyof Table]: Table[N] extends Several<infer T>
    ? readonly T[]
    : Table[N] extends Optional<infer T>
      ? T | null
      : Table[N] extends One<infer T>
        ? T
        : unknown;
};
