/** A message of the corpus with the results that extraction must return. */
export interface CorpusCase {
  /** The name of the message's file, without the folder. */
  file: string;
  name: string;
  /** The reason for these results. */
  because: string;
  otp: string | null;
  magicLink: string | null;
  /** The whole message, as received over SMTP. */
  message: Uint8Array;
}

/** A message of the corpus in the folder `parts`, which tests codes with letters, and links of any wording. */
export interface PartsCase extends Omit<CorpusCase, 'otp' | 'magicLink'> {
  codes: string[];
  /** The address of the action link. */
  action: string | null;
}

export function loadPartsCorpus(): Promise<PartsCase[]>;

/** Loads every message of the corpus. */
export function loadCorpus(): Promise<CorpusCase[]>;

/** Loads a corpus from another folder: `*.mails` files, or `*.eml` files with a `labels.json`. */
export function loadCorpusFrom(path: string): Promise<CorpusCase[]>;

/** Messages that are difficult for the same reason. */
export interface MailClass {
  /** The name of the class's file, without the extension. */
  name: string;
  /** Why these messages are difficult. */
  because: string;
  /** The field that the class tests. Each message states its expected value. */
  field: 'otp' | 'magicLink' | 'codes' | 'action';
  cases: ClassCase[];
}

export interface ClassCase {
  place: string;
  /** Several codes are separated by ", ". */
  expected: string | null;
  language: string;
  subject: string;
  /** The whole message, as received over SMTP. */
  message: Uint8Array;
}

/** Loads every class. */
export function loadClasses(): Promise<MailClass[]>;

/** Loads the half of each class that was not used to develop the rules. */
export function loadSetAsideClasses(): Promise<MailClass[]>;
