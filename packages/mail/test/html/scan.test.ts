import { expect, test } from 'vitest';
import { HtmlScanner } from '../../src/html/scan.js';
import type { Tag } from '../../src/html/tag.js';

/** The tokens of HTML, written as they would be in a row: text as it is, tags in angle brackets with chosen attributes. */
function tokens(html: string): string[] {
  const scanner = new HtmlScanner(html, attributes);
  const found: string[] = [];
  for (let token = scanner.next(); token !== 'end'; token = scanner.next()) {
    if (token === 'text') found.push(html.slice(scanner.start, scanner.end));
    else if (token === 'close') found.push(`</${scanner.name}>`);
    else found.push(`<${scanner.name}${scanner.meaning}>`);
  }
  return found;
}

function attributes(tag: Tag): string {
  const written = ['href', 'title', 'style'].map((name) => [name, tag.attribute(name)] as const);
  return written.map(([name, value]) => (value === null ? '' : ` ${name}=[${value}]`)).join('');
}

const cases: [name: string, html: string, tokens: string[]][] = [
  ['nothing', '', []],
  ['text alone', 'a & b', ['a & b']],
  ['tags and text', '<p>a</p>b', ['<p>', 'a', '</p>', 'b']],
  ['names in capitals', '<DIV>a</Div>', ['<div>', 'a', '</div>']],
  ['double quotes', '<a href="x>y">', ['<a href=[x>y]>']],
  ['single quotes', "<a href='x\"y'>", ['<a href=[x"y]>']],
  ['no quotes', '<a href=x/y title=z>', ['<a href=[x/y] title=[z]>']],
  ['no value', '<a href title>', ['<a href=[] title=[]>']],
  ['spaces around the equals sign', '<a href = "x" title= y>', ['<a href=[x] title=[y]>']],
  ['line breaks in a tag', '<a\nhref="x"\r\n\ttitle="y"\n>', ['<a href=[x] title=[y]>']],
  ['no space between attributes', '<a href="x"title="y">', ['<a href=[x] title=[y]>']],
  ['the first of two attributes', '<a href="x" HREF="y">', ['<a href=[x]>']],
  ['attributes in capitals', '<a HREF="x">', ['<a href=[x]>']],
  [
    'a tag that was there before, and one that only begins like it',
    '<a href="x"><a href="x"><a href="x>y"><a href="x">',
    ['<a href=[x]>', '<a href=[x]>', '<a href=[x>y]>', '<a href=[x]>'],
  ],
  ['a slash at the end', '<br/><a href="x"/>', ['<br>', '<a href=[x]>']],
  ['a slash in the middle', '<a/href="x">', ['<a href=[x]>']],
  ['a stray equals sign', '<a =href="x">', ['<a>']],
  ['a < that begins nothing', 'a < b <3 <> c', ['a < b <3 <> c']],
  ['a comment', 'a<!-- <b>no</b> -->c', ['a', 'c']],
  ['empty comments', 'a<!-->b<!--->c', ['a', 'b', 'c']],
  ['a conditional comment', '<!--[if mso]><b>no</b><![endif]-->a', ['a']],
  ['what other programs see of one', '<!--[if !mso]><!--><b>a</b><!--<![endif]-->', ['<b>', 'a', '</b>']],
  ['a declaration', '<!doctype html><p>', ['<p>']],
  ['a conditional without dashes', '<![if !mso]>a<![endif]>', ['a']],
  ['a processing instruction', '<?xml version="1.0"?>a', ['a']],
  ['a closing tag with attributes', '</p class="x">a', ['</p>', 'a']],
  ['a closing tag without a name', 'a</>b</ >c', ['a', 'b', 'c']],
  ['a style sheet', '<style>a<b{}</style>c', ['<style>', '</style>', 'c']],
  ['a script', '<script>"</scrip>" </SCRIPT>c', ['<script>', '</script>', 'c']],
  ['a title', '<title>a<b></title>c', ['<title>', '</title>', 'c']],
  ['an open comment', 'a<!-- b <p>', ['a']],
  ['an open style sheet', 'a<style>b', ['a', '<style>']],
  ['an open tag', 'a<p b', ['a']],
  ['an open quote', 'a<p b="c>d', ['a']],
  ['an open closing tag', 'a</p', ['a', '</p>']],
];

test.each(cases)('%s', (_, html, expected) => {
  expect(tokens(html)).toEqual(expected);
});

test('reads 64 attributes, and the tag to its end', () => {
  expect(tokens(`<a ${'b=c '.repeat(63)}href="x">d`)).toEqual(['<a href=[x]>', 'd']);
  expect(tokens(`<a ${'b=c '.repeat(64)}href="x">d`)).toEqual(['<a>', 'd']);
  expect(tokens(`<a ${'b=c '.repeat(1_000)}href="x">d`)).toEqual(['<a>', 'd']);
});
