/** `verify` includes confirming and activating. */
export type ActionName = 'verify' | 'reset';

/** Words and endings that an address joins to a verb: `/verifyemail`, `/passwordreset`, `/confirmations`. */
const OBJECTS = [
  ...['', 's', 'email', 'mail', 'account', 'user', 'password', 'passwd', 'address', 'login', 'signup', 'registration'],
  ...['identity', 'device', 'link'],
];
/** Verbs and nouns of several languages, as addresses spell them. */
const VERBS: ReadonlyMap<string, ActionName> = new Map([
  ['reset', 'reset'],
  ...[
    'approve approval verify verification confirm confirmation activate activation validate validation magic magiclink',
    'verificar verificacion verificacao verifica verifier verifizieren verifieren verifiera weryfikacja',
    'confirmar confirmacion confirmacao confirmer conferma confirma bestaetigen bestaetigung bevestigen bekreft',
    'bekrafta activar activacion ativar activer attiva attivazione aktivieren aktivierung activeren aktivera',
    'aktivacija potwierdz potvrdit overit megerosites vahvista xacminh xacnhan xac verifikasi konfirmasi dogrula onayla',
  ].flatMap((line) => line.split(' ').map((verb) => [verb, 'verify'] as const)),
]);
const ACCEPTS = /^accept(?:[-_]?invit[a-z]{1,6})?$/i;

/** Separates the words of a name: characters other than letters, or a capital. */
const WORDS_APART = /[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/;
/** Length limits of a verb with up to two objects. The minimum skips the many short words within tokens. */
const MIN_VERB_CHARS = 3;
const MAX_VERB_CHARS = 40;

/** The action that an address names, or null. `rest` is the address without its host. */
export function namedAction(rest: string): ActionName | null {
  let named: ActionName | null = null;
  for (const name of rest.split(/[/?#&]/)) {
    if (ACCEPTS.test(name)) return 'verify';
    for (const word of name.split(WORDS_APART)) {
      const verb = verbOf(word.toLowerCase());
      if (verb === null || isTitleName(name)) continue;
      if (verb === 'verify') return verb;
      named = verb;
    }
  }
  return named;
}

/**
 * The action of a verb, alone or joined to objects. A regular expression for all combinations would take V8 6 ms to
 * compile, which would delay the first message.
 */
function verbOf(word: string): ActionName | null {
  if (word.length < MIN_VERB_CHARS || word.length > MAX_VERB_CHARS) return null;
  for (const before of OBJECTS) {
    if (!word.startsWith(before)) continue;
    for (const after of OBJECTS) {
      if (!word.endsWith(after)) continue;
      const verb = VERBS.get(word.slice(before.length, word.length - after.length));
      if (verb !== undefined) return verb;
    }
  }
  return null;
}

/** The keywords of the interface specification. Each magic link has one in its address. */
export const KEYWORD = /verify|confirm|reset|token|activate|auth/i;
/** Words in the paths of an application: actions, objects and words between them. Any other word is part of a title. */
const PLAIN_WORDS: ReadonlySet<string> = new Set([
  ...OBJECTS,
  ...VERBS.keys(),
  ...[
    'emails links confirmed verified activated token tokens two factor mfa otp code sign log in up on',
    'your my the to and or by with via of for new change request start complete finish set update forgot forgotten',
    'lost order booking payment appointment reservation invitation invite subscription newsletter phone number mobile',
    'sms customer member client profile register team access page form step success',
  ].flatMap((line) => line.split(' ')),
]);
/** Other words in the paths of an application: numbers, `2fa`, languages, and words that begin with `auth`. */
const PLAIN_SHAPE = /^(?:[a-z]{1,2}|\d{1,6}|2fa|auth[a-z]{0,12})$/;
const MIN_TITLE_WORDS = 3;
const MAY_BE_TITLE = /^[^?#]{0,400}[-_+.][^/?#_+.-]{1,40}[-_+.]/;
/** Parameters for tracking and languages, which are ignored. */
const COUNTED = /^(?:utm_[a-z]{1,16}|ref|source|lang|locale)=/i;

/** Whether an address has a keyword only in the title of a page, as in `/jak-na-reset-telefonu`. */
export function isTitleOfPage(rest: string): boolean {
  // A quick check that most addresses fail.
  if (!MAY_BE_TITLE.test(rest)) return false;
  const [path = '', ...values] = rest.split(/[?#&]/);
  if (values.some((value) => value.includes('=') && !COUNTED.test(value))) return false;
  const segments = path.split('/');
  const names = segments.filter((name) => KEYWORD.test(name));
  return names.length > 0 && names.every(isTitleName) && !segments.some((name) => wordsOf(name).some(isRandom));
}

function isTitleName(name: string): boolean {
  const words = wordsOf(name);
  return words.length >= MIN_TITLE_WORDS && !words.every(isPlainWord);
}

function wordsOf(name: string): string[] {
  return name.split(/[-_+. ]/).filter((word) => word !== '');
}

export function isPlainWord(word: string): boolean {
  const lower = word.toLowerCase();
  return PLAIN_WORDS.has(lower) || PLAIN_SHAPE.test(lower);
}

const MIN_RANDOM_CHARS = 8;

/** Whether letters and digits look like a token, or part of one. */
function isRandom(word: string): boolean {
  return word.length >= MIN_RANDOM_CHARS && /\d/.test(word) && /[a-z]/i.test(word);
}
