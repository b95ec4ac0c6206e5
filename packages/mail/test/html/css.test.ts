import { describe, expect, test } from 'vitest';
import { rewriteCss } from '../../src/html/css.js';

/** Allows `data:` addresses. */
const inside = (css: string) => rewriteCss(css, (address) => (address.startsWith('data:') ? address : null));

describe('rewriteCss', () => {
  test.each([
    ['declarations', 'color:#FF0000;margin:0 -1px .5em;font-family:Arial,"Segoe UI"'],
    ['rules', 'p>b,a:hover{color:rgb(1 2 3 / 50%)}td[width="600"]{width:calc(100% - 2px)!important}'],
    ['what depends on the screen', '@media only screen and (max-width:600px){.a{width:100%}}'],
    ['variables', ':root{--a:1px}p{margin:var(--a)}'],
    ['letters of other scripts', '.größe::before{content:"→ für"}'],
    ['an image that is let through', 'background:url("data:image/png;base64,AA==") no-repeat'],
  ])('keeps %s', (_, css) => {
    expect(inside(css)).toBe(css);
  });

  test.each([
    ['an address', 'background:red url(http://a.test/x.png) no-repeat', 'background:red none no-repeat'],
    ['an address in quotes', "background:url( 'http://a.test/x.png' )", 'background:none'],
    ['an address in capitals', 'background:URL(//a.test)', 'background:none'],
    ['an address with an escape', 'background:url(http:\\2f\\2f a.test)', 'background:none'],
    ['a function behind escapes', 'background:\\75 rl(http://a.test)', 'background:none'],
    ['a function behind other escapes', 'background:u\\r\\l(http://a.test)', 'background:none'],
    ['several in a row', 'cursor:url(//a.test/a),url(//a.test/b),auto', 'cursor:none,none,auto'],
    ['one in another function', 'background:image-set(url(//a.test) 1x, "//a.test/b" 2x)', 'background:none'],
    ['strings that load', 'background:-webkit-image-set("//a.test" 1x)', 'background:none'],
    ['a function of its own', 'background:src("//a.test")', 'background:none'],
    ['one without an end', 'background:url(http://a.test', 'background:none'],
    ['one with a bracket in a string', 'background:url("//a.test)") red', 'background:none red'],
    ['one with what is no address', 'background:url(//a.test "x") red', 'background:none red'],
    ['a style sheet', '@import "//a.test";p{color:red}', 'p{color:red}'],
    ['a style sheet behind escapes', '@\\69mport url(//a.test) screen;p{}', 'p{}'],
    ['a style sheet with a semicolon', '@import url("//a.test/;x");p{}', 'p{}'],
    ['a font', '@font-face{font-family:f;src:url(//a.test)}p{}', 'p{}'],
    ['a font with a brace in a string', '@font-face{src:url("}//a.test")}p{}', 'p{}'],
    ['a font in a block', '@media all{@font-face{src:url(//a.test)}p{}}', '@media all{p{}}'],
    ['a namespace', '@namespace url(http://a.test);p{}', 'p{}'],
    ['comments', 'p{/* http://a.test */color:red}', 'p{ color:red}'],
    ['a comment without an end', 'p{}/* http://a.test', 'p{} '],
    ['an address in a string', 'a[href^="https://a.test"]{content:"//a.test"}', 'a[href^=""]{content:""}'],
    ['an address in a string, behind escapes', 'p{content:"http\\3a\\2f/a.test"}', 'p{content:""}'],
    ['what hides style sheets', '<!-- p{} -->', '  p{}  '],
    ['one behind an escape that is left out', 'background:u\\2e rl(//a.test)', 'background:none'],
    ['one whose bracket is behind an escape', 'background:u\\28 rl(//a.test)', 'background:none'],
    ['one that a mark takes apart', 'background:u<!--rl("//a.test")', 'background:u rl("")'],
    ['one that the other mark takes apart', 'background:im-->age-set("//a.test" 1x)', 'background:im-->age-set("" 1x)'],
    ['a style sheet behind an escape that is left out', '@im\\2e port "//a.test";p{}', 'p{}'],
    ['a style sheet that a mark takes apart', '@<!--import "//a.test";p{}', '@ import "";p{}'],
    ['a font behind an escape that is left out', '@font\\2e -face{src:url(//a.test)}p{}', 'p{}'],
    ['an address with backslashes in a string', 'p{content:"\\\\\\\\a.test"}', 'p{content:""}'],
    ['an address with a tab in it in a string', 'p{content:"/\\9/a.test"}', 'p{content:""}'],
    ['the end of its element', 'p{content:"</style>"}a</b{}', 'p{content:"\\3c /style>"}a< /b{}'],
    ['escapes in names', '.a\\:b\\2e c{}', '.abc{}'],
    ['a quote in a string', "p{content:'a\"b\\\\'}", 'p{content:"a\\22 b\\5c "}'],
  ])('removes %s, or changes its meaning', (_, css, expected) => {
    expect(inside(css)).toBe(expected);
  });

  test.each([
    ['a filter', 'filter:blur(3px)'],
    ['one of another browser', '-webkit-filter:blur(3px)'],
    ['one behind escapes', 'f\\69 lter:blur(3px)'],
    ['one before a comment', 'filter/**/:blur(3px)'],
    ['one before a mark', 'filter<!--:blur(3px)'],
    ['one of what lies behind', 'backdrop-filter:blur(3px)'],
    ['what will change', 'will-change:transform'],
    ['a reflection', '-webkit-box-reflect:below 1px'],
    ['columns', 'columns:2'],
    ['their number', 'column-count:2'],
    ['their width', 'column-width:9em'],
    ['space', 'perspective:10px'],
    ['where it is seen from', 'perspective-origin:10px'],
    ['things in space', 'transform-style:preserve-3d'],
    ['their backs', 'backface-visibility:hidden'],
    ['a turn in space', 'rotate:x 3deg'],
    ['a move in space', 'translate:1px 1px 1px'],
    ['a scale of space', 'scale:1 1 2'],
    ['a transform in space', 'transform:translateZ(0)'],
    ['a matrix', 'transform:MATRIX3D(1)'],
    ['one in a variable', '--a:perspective(3px)'],
  ])('disables costly declarations: %s', (_, css) => {
    expect(inside(css)).toMatch(/-stripped-/);
  });

  test.each([
    ['a class', '.filter:hover{color:red}'],
    ['an id', '#columns:hover{color:red}'],
    ['a value', 'transition:filter 1s'],
    ['a variable', '--filter:blur'],
    ['a transform in the plane', 'transform:rotate(3deg) scale(2) translate(1px,2px)'],
    ['an element after a colon', 'a::filter:hover{}'],
  ])('keeps the name of another property: %s', (_, css) => {
    expect(inside(css)).toBe(css);
  });

  test.each([
    ['the wanted preference', '@media (prefers-color-scheme:dark){p{}}', '@media (min-width:0px){p{}}'],
    ['the other', '@media (prefers-color-scheme: light){p{}}', '@media (max-width: -1px){p{}}'],
    ['one among others', '@media screen and (Prefers-Color-Scheme : dark){}', '@media screen and (min-width : 0px){}'],
    ['whether there is one', '@media (prefers-color-scheme){p{}}', '@media (prefers-color-scheme){p{}}'],
    ['no feature', 'a:prefers-color-scheme:dark', 'a:prefers-color-scheme:dark'],
    ['two schemes', ':root{color-scheme:light dark}', ':root{color-scheme: dark}'],
    ['two in a style', 'color-scheme:dark light', 'color-scheme:dark '],
    ['one', ':root{color-scheme:only light;color:dark light}', ':root{color-scheme:only light;color:dark light}'],
  ])('applies rules for a reader who prefers dark colors: %s', (_, css, expected) => {
    expect(rewriteCss(css, () => null, 'dark')).toBe(expected);
    expect(rewriteCss(css, () => null)).toBe(css);
  });

  test.each([
    ['brackets', 'url('],
    ['costly names', 'filter:'],
    ['preferences', '(prefers-color-scheme:'],
    ['schemes', 'color-scheme:light '],
    ['quotes', '"'],
    ['quotes and lines', '"\n'],
    ['comments', '/*'],
    ['escapes', '\\'],
    ['rules', '@font-face{'],
    ['names', 'a\\61 '],
    ['functions', 'image-set('],
  ])('takes linear time for unclosed %s', (_, piece) => {
    // Quadratic code would take minutes for a mebibyte, so the test would time out.
    expect(inside(piece.repeat(2 ** 20 / piece.length))).toBeTypeOf('string');
  });
});
