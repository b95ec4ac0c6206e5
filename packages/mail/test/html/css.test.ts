import { describe, expect, test } from 'vitest';
import { rewriteCss } from '../../src/html/css.js';

/** Rewrites CSS and allows only `data:` URLs. */
const inside = (css: string) => rewriteCss(css, (address) => (address.startsWith('data:') ? address : null));

describe('rewriteCss', () => {
  test.each([
    ['declarations', 'color:#FF0000;margin:0 -1px .5em;font-family:Arial,"Segoe UI"'],
    ['rules', 'p>b,a:hover{color:rgb(1 2 3 / 50%)}td[width="600"]{width:calc(100% - 2px)!important}'],
    ['rules for a screen', '@media only screen and (max-width:600px){.a{width:100%}}'],
    ['variables', ':root{--a:1px}p{margin:var(--a)}'],
    ['letters of other scripts', '.größe::before{content:"→ für"}'],
    ['an allowed image', 'background:url("data:image/png;base64,AA==") no-repeat'],
  ])('keeps %s', (_, css) => {
    expect(inside(css)).toBe(css);
  });

  test.each([
    ['a URL', 'background:red url(http://a.test/x.png) no-repeat', 'background:red none no-repeat'],
    ['a URL in quotes', "background:url( 'http://a.test/x.png' )", 'background:none'],
    ['a URL in capitals', 'background:URL(//a.test)', 'background:none'],
    ['a URL with an escape', 'background:url(http:\\2f\\2f a.test)', 'background:none'],
    ['a function with hexadecimal escapes', 'background:\\75 rl(http://a.test)', 'background:none'],
    ['a function with other escapes', 'background:u\\r\\l(http://a.test)', 'background:none'],
    ['several URLs in a row', 'cursor:url(//a.test/a),url(//a.test/b),auto', 'cursor:none,none,auto'],
    ['a URL in another function', 'background:image-set(url(//a.test) 1x, "//a.test/b" 2x)', 'background:none'],
    ['strings that load images', 'background:-webkit-image-set("//a.test" 1x)', 'background:none'],
    ['the function src', 'background:src("//a.test")', 'background:none'],
    ['a URL without an end', 'background:url(http://a.test', 'background:none'],
    ['a URL with a bracket in a string', 'background:url("//a.test)") red', 'background:none red'],
    ['a URL before another string', 'background:url(//a.test "x") red', 'background:none red'],
    ['a style sheet', '@import "//a.test";p{color:red}', 'p{color:red}'],
    ['a style sheet with escapes', '@\\69mport url(//a.test) screen;p{}', 'p{}'],
    ['a style sheet with a semicolon', '@import url("//a.test/;x");p{}', 'p{}'],
    ['a font', '@font-face{font-family:f;src:url(//a.test)}p{}', 'p{}'],
    ['a font with a brace in a string', '@font-face{src:url("}//a.test")}p{}', 'p{}'],
    ['a font in a block', '@media all{@font-face{src:url(//a.test)}p{}}', '@media all{p{}}'],
    ['a namespace', '@namespace url(http://a.test);p{}', 'p{}'],
    ['comments', 'p{/* http://a.test */color:red}', 'p{ color:red}'],
    ['a comment without an end', 'p{}/* http://a.test', 'p{} '],
    ['a URL in a string', 'a[href^="https://a.test"]{content:"//a.test"}', 'a[href^=""]{content:""}'],
    ['a URL in a string with escapes', 'p{content:"http\\3a\\2f/a.test"}', 'p{content:""}'],
    ['marks that once hid style sheets', '<!-- p{} -->', '  p{}  '],
    ['a function with a dropped escape', 'background:u\\2e rl(//a.test)', 'background:none'],
    ['a function whose bracket is an escape', 'background:u\\28 rl(//a.test)', 'background:none'],
    ['a function that <!-- splits', 'background:u<!--rl("//a.test")', 'background:u rl("")'],
    ['a function that --> splits', 'background:im-->age-set("//a.test" 1x)', 'background:im-->age-set("" 1x)'],
    ['a style sheet with a dropped escape', '@im\\2e port "//a.test";p{}', 'p{}'],
    ['a style sheet that <!-- splits', '@<!--import "//a.test";p{}', '@ import "";p{}'],
    ['a font with a dropped escape', '@font\\2e -face{src:url(//a.test)}p{}', 'p{}'],
    ['a URL with backslashes in a string', 'p{content:"\\\\\\\\a.test"}', 'p{content:""}'],
    ['a URL with a tab in a string', 'p{content:"/\\9/a.test"}', 'p{content:""}'],
    ['the end tag of its element', 'p{content:"</style>"}a</b{}', 'p{content:"\\3c /style>"}a< /b{}'],
    ['escapes in names', '.a\\:b\\2e c{}', '.abc{}'],
    ['a quote in a string', "p{content:'a\"b\\\\'}", 'p{content:"a\\22 b\\5c "}'],
  ])('removes or replaces %s', (_, css, expected) => {
    expect(inside(css)).toBe(expected);
  });

  test.each([
    ['a filter', 'filter:blur(3px)'],
    ['a filter with a prefix', '-webkit-filter:blur(3px)'],
    ['a filter with an escape', 'f\\69 lter:blur(3px)'],
    ['a filter before a comment', 'filter/**/:blur(3px)'],
    ['a filter before <!--', 'filter<!--:blur(3px)'],
    ['a backdrop filter', 'backdrop-filter:blur(3px)'],
    ['the property will-change', 'will-change:transform'],
    ['a reflection', '-webkit-box-reflect:below 1px'],
    ['columns', 'columns:2'],
    ['the number of columns', 'column-count:2'],
    ['the width of columns', 'column-width:9em'],
    ['a perspective', 'perspective:10px'],
    ['the property perspective-origin', 'perspective-origin:10px'],
    ['three-dimensional children', 'transform-style:preserve-3d'],
    ['the property backface-visibility', 'backface-visibility:hidden'],
    ['a three-dimensional rotation', 'rotate:x 3deg'],
    ['a three-dimensional translation', 'translate:1px 1px 1px'],
    ['a three-dimensional scale', 'scale:1 1 2'],
    ['a three-dimensional transform', 'transform:translateZ(0)'],
    ['a three-dimensional matrix', 'transform:MATRIX3D(1)'],
    ['a perspective in a variable', '--a:perspective(3px)'],
  ])('disables costly declarations: %s', (_, css) => {
    expect(inside(css)).toMatch(/-stripped-/);
  });

  test.each([
    ['a class', '.filter:hover{color:red}'],
    ['an id', '#columns:hover{color:red}'],
    ['a value', 'transition:filter 1s'],
    ['a variable', '--filter:blur'],
    ['a two-dimensional transform', 'transform:rotate(3deg) scale(2) translate(1px,2px)'],
    ['an element after a colon', 'a::filter:hover{}'],
  ])('keeps the name of a costly property where it is harmless: %s', (_, css) => {
    expect(inside(css)).toBe(css);
  });

  test.each([
    ['the same preference', '@media (prefers-color-scheme:dark){p{}}', '@media (min-width:0px){p{}}'],
    ['the other preference', '@media (prefers-color-scheme: light){p{}}', '@media (max-width: -1px){p{}}'],
    ['for a screen', '@media screen and (Prefers-Color-Scheme : dark){}', '@media screen and (min-width : 0px){}'],
    ['a query for any preference', '@media (prefers-color-scheme){p{}}', '@media (prefers-color-scheme){p{}}'],
    ['a pseudo-class with the name', 'a:prefers-color-scheme:dark', 'a:prefers-color-scheme:dark'],
    ['two schemes', ':root{color-scheme:light dark}', ':root{color-scheme: dark}'],
    ['two schemes in a style', 'color-scheme:dark light', 'color-scheme:dark '],
    ['a scheme', ':root{color-scheme:only light;color:dark light}', ':root{color-scheme:only light;color:dark light}'],
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
