/** Declares the service's package, which is built after this one. Once it is installed, its own types replace these. */
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
