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
  codes: string[];
  /** The link to follow. */
  action: string | null;
}

export function loadPartsCorpus(): Promise<PartsCase[]>;

/** Reads every message of the corpus. */
export function loadCorpus(): Promise<CorpusCase[]>;

/** Reads a corpus of another folder: `*.mails` files, or `*.eml` files with a `labels.json`. */
export function loadCorpusFrom(path: string): Promise<CorpusCase[]>;

/** Mails that are alike in what makes them hard. */
export interface MailClass {
  /** Name of its file, without the ending. */
  name: string;
  /** What makes them hard. */
  because: string;
  /** Which field its mails say the value of. */
  field: 'otp' | 'magicLink' | 'codes' | 'action';
  cases: ClassCase[];
}

export interface ClassCase {
  place: string;
  /** Several codes with ", " between. */
  expected: string | null;
  language: string;
  subject: string;
  /** The whole message as it would come over SMTP. */
  message: Uint8Array;
}

/** Reads every class. */
export function loadClasses(): Promise<MailClass[]>;

/** Reads the half of each class that was set aside while the rules were made. */
export function loadSetAsideClasses(): Promise<MailClass[]>;
