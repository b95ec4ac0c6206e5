/** How email clients support an email's HTML, and what the HTML lacks. */
export interface EmailCheck {
  /** Decoded size of the HTML in bytes; 0 without HTML. */
  readonly htmlBytes: number;
  /** Whether Gmail cuts the email, as it does after 102 KiB of HTML. */
  readonly clippedByGmail: boolean;
  /** Support for the HTML in email clients, from 0 to 100 (full). Partial support of a feature counts half. */
  readonly score: number;
  /** Support by family of email clients: Gmail, Outlook, Apple Mail, Others. */
  readonly clients: readonly CheckedClients[];
  readonly images: CheckedImages;
  /** The unsubscribe header fields; null if missing. */
  readonly unsubscribe: CheckedUnsubscribe | null;
  /** Features that some email client does not fully support, the least supported first. */
  readonly features: readonly CheckedFeature[];
  /** Date of the caniemail.com data. */
  readonly dataDate: string;
}

/** How the email clients of a family support the features that an email uses. */
export interface CheckedClients {
  /** Name of the family, which is the beginning of its clients' names. */
  readonly family: string;
  /** Number of features with full support, summed over the family's clients. */
  readonly supported: number;
  /** Number of features with partial support, summed in the same way. */
  readonly partial: number;
  /** Number of features without support, summed in the same way. */
  readonly unsupported: number;
}

/** The images of an email's HTML. */
export interface CheckedImages {
  /** Number of images. */
  readonly total: number;
  /** Number of images without `alt`. An empty `alt` marks decoration and is not counted. */
  readonly withoutAlt: number;
  /** URLs of the images without `alt`, as in the message: at most 50, each cut to 500 characters. */
  readonly sources: readonly string[];
  /** For each of `sources`, the position of its tag in the HTML of `/parts`, in UTF-16 code units. */
  readonly places: readonly number[];
}

/** List-Unsubscribe (RFC 2369) and List-Unsubscribe-Post (RFC 8058). */
export interface CheckedUnsubscribe {
  /** The http, https and mailto URLs of List-Unsubscribe, at most 10. */
  readonly urls: readonly string[];
  /** Whether recipients can unsubscribe with one click, which needs an https URL and List-Unsubscribe-Post. */
  readonly oneClick: boolean;
  /** Whether a DKIM signature covers both fields, as RFC 8058 requires; null if the email is unsigned. */
  readonly signed: boolean | null;
}

/** An HTML or CSS feature that an email uses. */
export interface CheckedFeature {
  /** Name of the feature, such as `border-radius`. */
  readonly name: string;
  /** URL of the feature's page on caniemail.com. */
  readonly url: string;
  /** Number of uses in the email. */
  readonly uses: number;
  /** Positions of the first 20 tags that use the feature, as in `CheckedImages`. */
  readonly places: readonly number[];
  /** Number of email clients with full support. */
  readonly supported: number;
  /** Email clients with partial support. */
  readonly partial: readonly string[];
  /** Email clients without support. */
  readonly unsupported: readonly string[];
}
