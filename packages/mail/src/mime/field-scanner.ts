/** Scans the syntax that address fields and parameters share (RFC 5322 section 3.2). */
export class FieldScanner {
  readonly text: string;
  position = 0;
  /** False after an unclosed opener. Later openers are then text: searching for the end of each would be quadratic. */
  #commentsClose = true;
  #quotesClose = true;
  #literalsClose = true;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.position >= this.text.length;
  }

  get next(): string {
    return this.text.charAt(this.position);
  }

  /** Skips blanks and comments (CFWS), and returns whether there were any. */
  skipBlanks(): boolean {
    const start = this.position;
    for (;;) {
      if (isBlank(this.next)) this.position++;
      else if (!this.#skipComment()) return this.position > start;
    }
  }

  /** Reads the quoted string at the position, with its quotes and backslashes, or returns null. */
  quotedString(): string | null {
    if (this.next !== '"' || !this.#quotesClose) return null;
    for (let index = this.position + 1; index < this.text.length; index++) {
      const char = this.text[index];
      if (char === '\\') index++;
      else if (char === '"') return this.#takeTo(index + 1);
    }
    this.#quotesClose = false;
    return null;
  }

  /** Reads the domain literal at the position, such as `[IPv6:::1]`, with its brackets, or returns null. */
  domainLiteral(): string | null {
    if (this.next !== '[' || !this.#literalsClose) return null;
    const end = this.text.indexOf(']', this.position);
    this.#literalsClose = end !== -1;
    return this.#literalsClose ? this.#takeTo(end + 1) : null;
  }

  character(): string {
    return this.#takeTo(this.position + 1);
  }

  /** Reads up to a blank, a character of `stops` (never letters or digits), or the end. */
  token(stops: string): string {
    let end = this.position;
    for (; end < this.text.length; end++) {
      if (isLetterOrDigit(this.text.charCodeAt(end))) continue;
      const char = this.text.charAt(end);
      if (isBlank(char) || stops.includes(char)) break;
    }
    return this.#takeTo(end);
  }

  /** Comments nest, so no regular expression can find their end. */
  #skipComment(): boolean {
    if (this.next !== '(' || !this.#commentsClose) return false;
    let depth = 0;
    for (let index = this.position; index < this.text.length; index++) {
      const char = this.text[index];
      if (char === '\\') index++;
      else if (char === '(') depth++;
      else if (char === ')' && --depth === 0) {
        this.position = index + 1;
        return true;
      }
    }
    this.#commentsClose = false;
    return false;
  }

  #takeTo(end: number): string {
    const taken = this.text.slice(this.position, end);
    this.position = end;
    return taken;
  }
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t';
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
}
