/** One message of the corpus with what extraction shall find in it. */
export interface CorpusCase {
  /** The file it stands in, without its folder. */
  file: string;
  name: string;
  /** Why these are the right results. */
  because: string;
  otp: string | null;
  magicLink: string | null;
  /** The whole message as it would come over SMTP. */
  message: Uint8Array;
}

/** Reads every message of the corpus. */
export function loadCorpus(): Promise<CorpusCase[]>;
