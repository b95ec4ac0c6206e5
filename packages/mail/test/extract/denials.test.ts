import { describe, expect, it } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { LANGUAGES } from './languages.js';
import { sentencesIn } from './sentences.js';

const UNDO = 'https://app.test/reset-password?token=9f8e7d6c5b4a39281706';
const CONFIRM = 'https://app.test/confirm?token=01ab23cd45ef67890123';

/** A sentence whose bracketed words become a link. */
function linked(sentence: string, url: string): string {
  return sentence.replace(/\[+([^\]]*)\]+/, (_, text: string) => `<a href="${url}">${text}</a>`);
}

/** A notice with two links. Only the link in the sentence has a keyword. */
function notice(sentence: string): string {
  return `<p>Firefox, Windows, 203.0.113.9</p><p><a href="https://app.test/devices">app.test</a></p><p>${linked(sentence, UNDO)}</p>`;
}

const sentences = sentencesIn('denials.txt');

describe('a link after a sentence such as "If this was not you"', () => {
  it('has two or more test sentences in every language of the vocabulary', () => {
    const languages = sentences.map(([language]) => language);
    const twice = new Set(languages.filter((language, at) => languages.indexOf(language) < at));
    expect([...twice].sort()).toEqual(LANGUAGES);
  });

  it.each(sentences)('is not the magic link (%s: %s)', (_, sentence) => {
    const { magicLink } = extract({ subject: 'New login', text: null, html: notice(sentence) });
    expect(magicLink).toBeNull();
  });

  it.each(sentences)('does not replace the confirmation link as magic link (%s: %s)', (_, sentence) => {
    const html = `${notice(sentence)}<p><a href="${CONFIRM}">OK</a></p>`;
    expect(extract({ subject: 'New login', text: null, html }).magicLink).toBe(CONFIRM);
  });

  it.each(sentences)('is not the magic link if the message has a code and no other link (%s: %s)', (_, sentence) => {
    const html = `<p>Your login code:</p><p>482913</p><p>${linked(sentence, UNDO)}</p>`;
    expect(extract({ subject: 'App', text: null, html })).toEqual({ otp: '482913', magicLink: null });
  });

  it.each(sentences)('is the magic link if it is the only link and secures no account (%s: %s)', (_, sentence) => {
    const html = `<p>${linked(sentence, UNDO)}</p>`;
    const expected = sentence.includes('[[') ? null : UNDO;
    expect(extract({ subject: '', text: null, html }).magicLink).toBe(expected);
  });
});

describe('a link after a harmless sentence with "not", such as "If the button did not work"', () => {
  it.each(sentencesIn('no-denials.txt'))('may be the magic link (%s: %s)', (_, sentence) => {
    expect(extract({ subject: 'New login', text: null, html: notice(sentence) }).magicLink).toBe(UNDO);
  });
});
