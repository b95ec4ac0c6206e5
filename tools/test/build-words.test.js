import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import { wordSources } from '../build-words.js';

/** Compiles word lists (`{ 'de.txt': text }`), with a denial added to those that lack one, and loads the result. */
async function made(files) {
  const hasDenial = (name, text) => name === 'charset-labels.txt' || /^denials:$/m.test(text);
  const sources = wordSources(
    Object.entries(files).map(([name, text]) => [name, hasDenial(name, text) ? text : `${text}\ndenials:\n${name}`]),
  );
  const modules = Object.entries(sources).map(async ([name, source]) => {
    const { code } = await transformWithOxc(source, name);
    return import(`data:text/javascript,${encodeURIComponent(code)}`);
  });
  return Object.assign({}, ...(await Promise.all(modules)));
}

/** Returns all entries of a tree with their roles, in the notation of the files. */
function entriesOf({ ROLES, NODES, TABLE }) {
  const table = Buffer.from(TABLE, 'base64');
  const first = (node) => table.readUInt16LE(2 * (NODES + node));
  const end = (node) => table.readUInt16LE(2 * (2 * NODES + node));
  const entries = [];
  const visit = (node, before, written) => {
    const value = table[6 * NODES + node];
    if (value & 0xf) entries.push([written(before), ROLES[(value & 0xf) - 1]]);
    if (value >> 4) entries.push([`${written(before)}*`, ROLES[(value >> 4) - 1]]);
    for (let below = first(node); below < end(node); below++)
      visit(below, before + String.fromCharCode(table.readUInt16LE(2 * below)), written);
  };
  visit(0, '', (letters) => letters);
  visit(1, '', (letters) => `*${letters.split('').reverse().join('')}`);
  visit(2, '', (letters) => `*${letters}*`);
  return Object.fromEntries(entries);
}

test('wordSources assigns the role in a heading to each word below that heading, in every file', async () => {
  const tree = await made({
    'de.txt': '# German\n\ncode:\n  kode* {a,b}_c kod\n  *xy\nshown-digits:\nz',
    'en.txt': 'code:\ny\nspent:\nold',
  });
  const codes = Object.fromEntries(['kode*', 'a c', 'b c', 'kod', '*xy', 'z', 'y'].map((word) => [word, 'code']));
  expect(entriesOf(tree)).toEqual({ ...codes, old: 'spent', 'de.txt': 'denial', 'en.txt': 'denial' });
});

test('wordSources expands braces after an asterisk at the beginning of a word', async () => {
  expect(entriesOf(await made({ 'zh.txt': 'code:\n*{a,b}c*' }))).toMatchObject({ '*ac*': 'code', '*bc*': 'code' });
});

test('wordSources allows one role for a word and another role for longer words that begin with it', async () => {
  const tree = await made({ 'de.txt': 'code:\nkod\nother:\nkod*' });
  expect(entriesOf(tree)).toMatchObject({ kod: 'code', 'kod*': 'other' });
});

test('wordSources expands braces under the heading "time-units"', async () => {
  expect((await made({ 'de.txt': 'time-units:\n{std,min} tag*' })).TIME_UNITS).toEqual(['std', 'min', 'tag*']);
});

test.each([
  ['a word', 'sale:\nkod a*', ['kod', 'a kod.'], ['kodo', 'ekod', 'b']],
  ['only whole words', 'and:\nund e', ['und', 'a e.'], ['unde', 'wund', '']],
  ['a beginning', 'sale:\nkod*', ['kod', 'kodo'], ['ekod']],
  ['a part of a word', 'sale:\na *码*', ['验码器'], ['b']],
  ['only parts of words', 'wrote:\n*wrote*', ['he wrote:'], ['']],
  ['several words', 'sale:\ngift_card*', ['gift cards'], ['gift', 'gift_card']],
  ['a choice of characters', 'sale:\nlog{,_,-}in*', ['login', 'log in', 'log-in'], ['log.in']],
  ['a word before excluded letters', 'sale:\nconfirm*!ed,é', ['confirm', 'confirms'], ['confirmed', 'confirmé']],
  ['characters that are special in expressions', 'sale:\ne.g.', ['e.g.'], ['eggs']],
])('the regular expression made from a heading matches %s', async (_, text, found, missed) => {
  const source = Object.entries(await made({ 'de.txt': text })).find(
    ([name]) => name === text.split(':')[0].toUpperCase(),
  );
  expect([...found, ...missed].filter((one) => source[1].test(one))).toEqual(found);
});

test.each([
  [
    'an unknown heading',
    'codes:\nkod',
    /^packages\/mail\/src\/words\/de\.txt:1: "codes" is not a heading\. .*\bcode, shown/,
  ],
  ['a repeated heading', 'code:\nkod\n\ncode:\nx', /de\.txt:4: The heading "code" is a duplicate/],
  ['words before the first heading', '# German\nkod', /de\.txt:2: "kod" precedes the first heading/],
  ['capital letters', 'code:\nkod\nCode', /de\.txt:3: "Code" has capital letters/],
  ['an unclosed brace', 'code:\n{a,b', /de\.txt:2: "\{a,b" has an unmatched brace/],
  ['an unopened brace', 'code:\na}', /has an unmatched brace/],
  ['nested braces', 'code:\n{a,{b}}', /has an unmatched brace/],
  ['a comma outside braces', 'code:\na,b', /de\.txt:2: "a,b" has a comma outside/],
  ['a star between letters', 'code:\na*b', /de\.txt:2: "a\*b": "\*" is allowed only at an end/],
  ['a lone star', 'code:\n*', /"\*" is allowed only at an end/],
  ['a space at the end', 'code:\na_', /"_" only between words/],
  ['two spaces', 'code:\na__b', /"_" only between words/],
  ['an empty choice', 'code:\n{,a}', /"_" only between words/],
  ['"!" in the wrong place', 'code:\na*!b', /de\.txt:2: "a\*!b": "!" is allowed only after "\*"/],
  ['"!" after a word', 'sale:\na!b', /"!" is allowed only after/],
  ['"!" before an expression', 'sale:\na*!b{c}', /and before letters/],
  ['an ending in an expression', 'sale:\n*a', /cannot begin with "\*" under "sale" without ending with one/],
  ['an ending as a unit of time', 'time-units:\n*a*', /cannot begin with "\*" under "time-units"/],
  ['two roles', 'code:\na_{b,c}\n\nother:\na_c', /de\.txt:5: "a_c" is under "other", and under "code" at .*de\.txt:2/],
])('a word list with %s is rejected', async (_, text, sentence) => {
  await expect(made({ 'de.txt': text })).rejects.toThrow(sentence);
});

test('wordSources assigns a word one role in all languages', async () => {
  await expect(made({ 'de.txt': 'code:\na', 'en.txt': 'leave:\na' })).rejects.toThrow(
    'packages/mail/src/words/en.txt:2: "a" is under "leave", and under "code" at packages/mail/src/words/de.txt:2.',
  );
});

test('wordSources accepts a word under several headings of one role', async () => {
  expect(entriesOf(await made({ 'de.txt': 'code:\na\nshown-digits:\na' }))).toMatchObject({ a: 'code' });
});

test('wordSources reports all faults together, but no fault of a word below an unknown heading', async () => {
  await expect(made({ 'de.txt': 'code:\nA\nB\ncodes:\n*a' })).rejects.toThrow(
    /^\S+:4: "codes".*\n.*:2: "A".*\n.*:3: "B".*$/,
  );
});

test('wordSources rejects a file whose name is not the code of a language', async () => {
  await expect(made({ 'German.txt': 'code:\na' })).rejects.toThrow(
    'packages/mail/src/words/German.txt: Name the file by the code of its language, such as "de.txt".',
  );
});

test('wordSources requires the heading "denials" in the word list of each language, but not in mul.txt', () => {
  expect(() => wordSources([['de.txt', 'code:\na']])).toThrow('de.txt: Add the heading "denials"');
  expect(() => wordSources([['mul.txt', 'sale:\na']])).not.toThrow();
});

test('wordSources maps each label of an encoding to the encoding in the heading above it', async () => {
  const { CHARSET_LABELS } = await made({
    'charset-labels.txt': 'utf-8:\n  # names of ASCII\n  ascii us\ngbk:\ncp936',
  });
  expect([...CHARSET_LABELS]).toEqual([
    ['ascii', 'utf-8'],
    ['us', 'utf-8'],
    ['cp936', 'gbk'],
  ]);
});

test.each([
  ['charset-labels.txt', 'ascii', /:1: "ascii" precedes the first heading/],
  ['charset-labels.txt', 'ascii:\nus', /:1: "ascii" is not the name of an encoding/],
  ['charset-labels.txt', 'klingon:\nkl', /:1: "klingon" is not the name/],
  ['charset-labels.txt', 'utf-8:\nus-ascii', /:2: "us-ascii": write the label with lower-case letters and digits only/],
  ['charset-labels.txt', 'utf-8:\nus\ngbk:\nus', /:4: "us" is a duplicate of .*labels\.txt:2\.$/],
])('in %s, an invalid entry is rejected: %j', async (file, text, sentence) => {
  await expect(made({ [file]: text })).rejects.toThrow(sentence);
});
