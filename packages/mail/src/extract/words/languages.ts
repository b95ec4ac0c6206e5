import { LANGUAGES } from '../../words/tree.js';
import type { Role, Word } from './word-tree.js';

/** Words with these roles exclude candidates, so they count only in a language of the message. */
const RULES_OUT: ReadonlySet<Role> = new Set(['kind', 'other', 'spent', 'denial', 'aside', 'leave', 'common']);

/** A text and its words in any language. */
export interface Spoken {
  readonly lower: string;
  readonly words: readonly Word[];
}

/** The languages of a message: those with at least two different words in it. */
export class Languages {
  texts: readonly Spoken[] = [];
  readonly #spoken = new Set<string>();
  #areKnown = false;

  /** Selects the words that count. Words that exclude candidates count only if another word has the same language. */
  only<Words extends readonly Word[]>(words: Words, { lower }: { readonly lower: string }): Words | Word[] {
    if (words.every(countsAnywhere)) return words;
    return words.filter(
      (word) => countsAnywhere(word) || (word.role !== 'common' && this.#isSpoken(word, words, lower)),
    );
  }

  #isSpoken(word: Word, nearby: readonly Word[], lower: string): boolean {
    if (isNoName(lower.slice(word.start, word.end)) || this.#speaks(word)) return true;
    // Searches all words only once, because hostile mail may be full of words in other languages.
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

/** Phrases, compounds and words with accents are not names, so a single one identifies its language. */
function isNoName(text: string): boolean {
  return text.length >= MIN_COMPOUND_CHARS || /[^a-z]/.test(text);
}

/** A word this short that occurs in a single language may be a name: "Tan" is a German TAN and a surname. */
const MAX_SHORT_CHARS = 3;

function isShort({ role, start, end, languages }: Word): boolean {
  if (role !== 'code' || end - start > MAX_SHORT_CHARS) return false;
  return (LANGUAGES[languages] as readonly string[]).length === 1;
}
