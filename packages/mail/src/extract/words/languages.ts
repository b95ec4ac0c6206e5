import { LANGUAGES } from '../../words/tree.js';
import type { Role, Word } from './word-tree.js';

/** What words of these roles say rules a candidate out, so a name that happens to read like one must not count. */
const RULES_OUT: ReadonlySet<Role> = new Set(['kind', 'other', 'spent', 'denial', 'aside', 'leave', 'common']);

/** A text with its words of the vocabulary, whether their languages are spoken or not. */
export interface Spoken {
  readonly lower: string;
  readonly words: readonly Word[];
}

/** The languages of a message: those of which it has two different words. */
export class Languages {
  /** What a message consists of. */
  texts: readonly Spoken[] = [];
  readonly #spoken = new Set<string>();
  #areKnown = false;

  /** The words that mean something: those that rule out only in a language that another word belongs to as well. */
  only<Words extends readonly Word[]>(words: Words, { lower }: { readonly lower: string }): Words | Word[] {
    if (words.every(countsAnywhere)) return words;
    return words.filter(
      (word) => countsAnywhere(word) || (word.role !== 'common' && this.#isSpoken(word, words, lower)),
    );
  }

  #isSpoken(word: Word, nearby: readonly Word[], lower: string): boolean {
    if (isNoName(lower.slice(word.start, word.end)) || this.#speaks(word)) return true;
    // Hostile mail is full of words without a language: the words are looked through once for all of them.
    if (this.#areKnown) return false;
    this.#learn([{ lower, words: nearby }]);
    if (this.#speaks(word)) return true;
    this.#areKnown = true;
    this.#learn(this.texts);
    return this.#speaks(word);
  }

  #speaks({ languages }: Word): boolean {
    return (LANGUAGES[languages] as readonly string[]).some((language) => this.#spoken.has(language));
  }

  #learn(texts: readonly Spoken[]): void {
    const found = new Map<string, string>();
    for (const { lower, words } of texts) {
      for (const { start, end, languages } of words) {
        if (languages === 0) continue;
        const written = lower.slice(start, end);
        for (const language of LANGUAGES[languages] as readonly string[]) {
          const other = found.get(language);
          if (other === undefined) found.set(language, written);
          else if (other !== written) this.#spoken.add(language);
        }
      }
    }
  }
}

function countsAnywhere(word: Word): boolean {
  return word.languages === 0 || !(RULES_OUT.has(word.role) || isShort(word));
}

const MIN_COMPOUND_CHARS = 12;

/** Several words, letters with accents and compounds are of a language as they are. */
function isNoName(text: string): boolean {
  return text.length >= MIN_COMPOUND_CHARS || /[^a-z]/.test(text);
}

/** In one language alone, so few letters are as likely a name: "Tan" is a German TAN and a surname. */
const MAX_SHORT_CHARS = 3;

function isShort({ role, start, end, languages }: Word): boolean {
  if (role !== 'code' || end - start > MAX_SHORT_CHARS) return false;
  return (LANGUAGES[languages] as readonly string[]).length === 1;
}
