export type OnUse = (use: string) => void;

/** In a style sheet, unlike in a list of declarations, the text outside of braces is selectors and at-rules. */
type CssKind = 'declarations' | 'sheet';

const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\[\s\S])*(?:"|$)?|'(?:[^'\\\n]|\\[\s\S])*(?:'|$)?|\/\*[\s\S]*?(?:\*\/|$)/g;
const ADDRESS = /\burl\([^)]*\)?/gi;
const NAME = /[a-z-]+\(?/gi;
const UNIT = /[\d.](%|[a-z]{1,4}\b)/gi;
const SIZE_KEYWORD = /^(?:fit|min|max)-content$/;
const MEDIA_FEATURE = /\(\s{0,8}([a-z-]+)/gi;
const PSEUDO = /::?([a-z-]+)/gi;
const COMBINATOR = /[>+~[*]/g;
const DECLARATION = /^\s*([a-z-]+)\s*:/i;
const AT_RULE = /^\s*@([a-z-]+)/i;

/** At-rules whose prelude contains media features. */
const MEDIA_RULES = /^(?:media|import)$/;

/** Reports every feature in a CSS text, even if a browser would ignore its declaration. Takes linear time. */
export function cssUses(css: string, kind: CssKind, onUse: OnUse): void {
  const text = css.replace(STRING_OR_COMMENT, ' ').replace(ADDRESS, 'url');
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text.charAt(at);
    if (char !== '{' && char !== '}' && char !== ';' && char !== '') continue;
    const piece = text.slice(from, at);
    if (piece.trimStart().startsWith('@')) atRuleUses(piece, onUse);
    else if (char === '{') selectorUses(piece, onUse);
    else if (kind === 'declarations' || char !== '') declarationUses(piece, onUse);
    from = at + 1;
  }
}

function atRuleUses(rule: string, onUse: OnUse): void {
  const name = AT_RULE.exec(rule)?.[1]?.toLowerCase() ?? '';
  onUse(`at:${name}`);
  if (MEDIA_RULES.test(name)) each(MEDIA_FEATURE, rule, (feature) => onUse(`media:${feature}`));
}

function selectorUses(selector: string, onUse: OnUse): void {
  each(PSEUDO, selector, (name) => onUse(`pseudo:${name}`));
  each(COMBINATOR, selector, (mark) => onUse(`combinator:${mark}`));
}

function declarationUses(declaration: string, onUse: OnUse): void {
  const [written, name] = DECLARATION.exec(declaration) ?? [];
  if (written === undefined || name === undefined) return;
  const property = name.toLowerCase();
  const value = declaration.slice(written.length);
  onUse(`property:${property}`);
  if (property === 'display') onUse(`display:${value.trim().split(/[\s!]/, 1)[0]?.toLowerCase()}`);
  each(UNIT, value, (unit) => onUse(`unit:${unit}`));
  each(NAME, value, (one) => {
    if (one.endsWith('(')) onUse(`function:${one.slice(0, -1)}`);
    else if (SIZE_KEYWORD.test(one)) onUse(`keyword:${one}`);
  });
  if (/!\s*important/i.test(value)) onUse('important:');
}

function each(pattern: RegExp, text: string, tell: (found: string) => void): void {
  for (const [whole, part = whole] of text.matchAll(pattern)) tell(part.toLowerCase());
}
