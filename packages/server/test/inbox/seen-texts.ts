/** A subject or body, a filter's text, and whether a person would find the filter's text in the subject or body. */
export type SeenText = readonly [text: string, wanted: string, isSeen: boolean];

export const SEEN_TEXTS: readonly SeenText[] = [
  ['Le code\u00a0: 482913', 'le code : 482913', true],
  ['Votre code\u202f: 482913', 'code : 482913', true],
  ['コード\u3000482913', 'コード 482913', true],
  ['Your\u2003code', 'your\tcode', true],
  ['Ihr \u00a0 Code', 'ihr code', true],
  ['Se\u0301curite\u0301', 'sécurité', true],
  ['Sécurité', 'se\u0301curite\u0301', true],
  ['Ǻ code', 'A\u030a\u0301 CODE', true],
  ['ver\u200bify your address', 'verify your address', true],
  ['\u2068Ada\u2069 invited you', 'ada invited you', true],
  ['Bestell\u00adnummer', 'bestellnummer', true],
  ['Welcome', '\ufeffWelcome', true],
  ['❤\ufe0f from Kestrel', '❤ from kestrel', true],
  ['Ваш КОД', 'ваш код', true],
  ['Your code', 'yourcode', false],
  ['Séc\u200burité', 'securite', false],
  ['Your\ncode', 'your code', false],
  ['cle\u0301', 'cle', false],
];

/** The half of the texts that was not used to develop the rules. */
export const SEEN_TEXTS_SET_ASIDE: readonly SeenText[] = [
  ['Numéro\u2009: 7712', 'numéro : 7712', true],
  ['Il tuo\u205fcodice', 'il tuo codice', true],
  ['会议\u3000\u3000通知', '会议 通知', true],
  ['a\u2002b', 'a\u2004b', true],
  ['Zu\u0308rich', 'Zürich', true],
  ['Tiếng Việt', 'Tie\u0302\u0301ng Vie\u0323\u0302t', true],
  ['한글 코드', '\u1112\u1161\u11ab\u1100\u1173\u11af 코드', true],
  ['con\u2060firm', 'confirm', true],
  ['\u202bרמז\u202c', 'רמז', true],
  ['re\u200cset', 're\u200dset', true],
  ['Pass\u00adwort zurück\u00adsetzen', 'passwort zurücksetzen', true],
  ['Γεια ΣΑΣ', 'γεια σας', true],
  ['Code\t\t482913', 'code 482913', true],
  ['482\u061c913', '482913', true],
  ['Invoice', 'in voice', false],
  ['Über', 'uber', false],
  ['line one\u00a0\nline two', 'one line', false],
  ['code', 'code ', false],
];
