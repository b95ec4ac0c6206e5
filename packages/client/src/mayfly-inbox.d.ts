/**
 * The part of the service's package that is used here. It is built after this one, so its own types are not there yet;
 * once it is installed, they replace these.
 */
declare module 'mayfly-inbox' {
  export interface StartOptions {
    readonly [option: string]: unknown;
  }

  export interface StartedMayfly {
    readonly url: string;
    readonly smtp: { readonly host: string; readonly port: number };
    readonly domain: string;
    exportRun?(secret: string, file: string): Promise<void>;
    stop(): Promise<void>;
  }

  export function startMayfly(options?: StartOptions): Promise<StartedMayfly>;
}
