import { readFileSync } from 'node:fs';

const LANGUAGES = readFileSync(new URL('words.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n\n')
  .slice(1)
  .map((block) => {
    const words = Object.fromEntries(block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line).slice(1)));
    const [, hint, flags] = /^(.*?)(?: \((\w+)\))?$/.exec(words.hint);
    return { ...words, hint: new RegExp(hint, flags), names: words.names.split(' | ') };
  });

/** The words of the language that a message appears to use. */
export function wordsFor({ subject, text, html }) {
  const written = `${subject}\n${text ?? ''}\n${(html ?? '').replace(/<[^>]*>/g, ' ')}`;
  return LANGUAGES.find(({ hint }) => hint.test(written));
}
