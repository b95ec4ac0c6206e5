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

/** One message of the part of the corpus for codes with letters and for links whatever their words. */
export interface PartsCase extends Omit<CorpusCase, 'otp' | 'magicLink'> {
  /** All codes, the best first. */
  codes: string[];
  /** The link to follow. */
  action: string | null;
}

/** Reads every message of that part. */
export function loadPartsCorpus(): Promise<PartsCase[]>;

/** Reads every message of the corpus. */
export function loadCorpus(): Promise<CorpusCase[]>;
