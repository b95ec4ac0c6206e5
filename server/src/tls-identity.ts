/** A certificate with its key, both in PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}
