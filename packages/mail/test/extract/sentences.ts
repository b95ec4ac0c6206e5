import { readFileSync } from 'node:fs';

/** The sentences of a file in corpus/sentences, with their languages. */
export function sentencesIn(file: string): (readonly [language: string, sentence: string])[] {
  const text = readFileSync(new URL(`../corpus/sentences/${file}`, import.meta.url), 'utf8');
  return text.split('\n\n').flatMap((block) => {
    const [language = '', ...sentences] = block.trim().split('\n');
    return sentences.map((sentence) => [language.replace(':', ''), sentence] as const);
  });
}
