/** What email clients make of an email's HTML, and what its recipients miss in it. */
export interface EmailCheck {
  /** Decoded size of the HTML; 0 without HTML. */
  readonly htmlBytes: number;
  /** Whether Gmail shows only the beginning, which it does beyond 102 KiB of HTML. */
  readonly clippedByGmail: boolean;
  readonly images: CheckedImages;
  /** How to unsubscribe, by the header; null if it does not say. */
  readonly unsubscribe: CheckedUnsubscribe | null;
  /** What the HTML uses that some email client does not support or supports in part; the least supported first. */
  readonly features: readonly CheckedFeature[];
  /** The day of the data of caniemail.com, such as 2026-05-13. */
  readonly dataDate: string;
}

/** The images of an email's HTML. */
export interface CheckedImages {
  /** How many images the HTML shows. */
  readonly total: number;
  /** How many have no `alt` attribute. An empty one says that an image is decoration. */
  readonly withoutAlt: number;
  /** The addresses of these, as in the message: 50 at most, the first 500 characters of each. */
  readonly sources: readonly string[];
}

/** List-Unsubscribe (RFC 2369) and List-Unsubscribe-Post (RFC 8058). */
export interface CheckedUnsubscribe {
  /** The http, https and mailto addresses of the field; 10 at most. */
  readonly urls: readonly string[];
  /** Whether one click is enough: an https address, and the second field. */
  readonly oneClick: boolean;
  /** Whether a DKIM signature covers both fields, as RFC 8058 demands; null for an unsigned email. */
  readonly signed: boolean | null;
}

/** A part of HTML or CSS that an email uses. */
export interface CheckedFeature {
  /** Such as border-radius. */
  readonly name: string;
  /** Its page on caniemail.com. */
  readonly url: string;
  /** How often the HTML uses it. */
  readonly uses: number;
  /** How many email clients support it. */
  readonly supported: number;
  /** The email clients that support a part of it. */
  readonly partial: readonly string[];
  /** The email clients that do not support it. */
  readonly unsupported: readonly string[];
}
