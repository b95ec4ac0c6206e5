/** What an address may be there to do: to verify, confirm or activate something, or to reset it. */
export type ActionName = 'verify' | 'reset';

/** What is verified or reset, joined to the verb: `/verifyemail`, `/passwordreset`. */
const OBJECTS = [
  ...['', 'email', 'mail', 'account', 'user', 'password', 'passwd', 'address', 'login', 'signup', 'registration'],
  ...['identity', 'device', 'link'],
];
/** Verbs and nouns for it, also those of other languages as addresses spell them. */
const VERIFY_WORDS: ReadonlySet<string> = new Set(
  [
    'approve approval verify verification confirm confirmation activate activation validate validation magiclink',
    'verificar verificacion verificacao verifica verifier verifizieren verifieren verifiera weryfikacja',
    'confirmar confirmacion confirmacao confirmer conferma confirma bestaetigen bestaetigung bevestigen bekreft',
    'bekrafta activar activacion ativar activer attiva attivazione aktivieren aktivierung activeren aktivera',
    'aktivacija potwierdz potvrdit overit megerosites vahvista xacminh xacnhan verifikasi konfirmasi dogrula onayla',
  ].flatMap((line) => line.split(' ')),
);
const RESET_WORDS: ReadonlySet<string> = new Set(['reset']);
/** Those of the words that are also written with a hyphen. */
const HYPHENED = /magic-link|xac-minh|xac-nhan/gi;
const ACCEPTS = /^accept(?:[-_]?invit[a-z]{1,6})?$/i;

const CAMEL = '(?<=[a-z])(?=[A-Z])';
const WORD_BEGIN = `(?:(?<![A-Za-z])|${CAMEL})`;
const VERIFY_BY_CAPITALS = new RegExp(`${WORD_BEGIN}(?:[Vv]erify|[Cc]onfirm|[Aa]ctivate|[Mm]agic)(?![a-z])`);
const RESET_BY_CAPITALS = new RegExp(`${WORD_BEGIN}[Rr]eset(?![a-z])`);

/** No verb with two objects is longer. */
const MAX_VERB_CHARS = 40;

/** What an address says that it does, by what follows its host, or null. */
export function namedAction(rest: string): ActionName | null {
  const names = rest.split(/[/?#&]/).filter((name) => !isTitleName(name));
  if (names.some((name) => verifies(name) || VERIFY_BY_CAPITALS.test(name))) return 'verify';
  return names.some((name) => resets(name) || RESET_BY_CAPITALS.test(name)) ? 'reset' : null;
}

function verifies(name: string): boolean {
  return holdsVerb(name, VERIFY_WORDS) || ACCEPTS.test(name);
}

function resets(name: string): boolean {
  return holdsVerb(name, RESET_WORDS);
}

/**
 * Whether a name holds one of the words between what are no letters, alone or joined to what it is done with. One
 * expression of all that could be joined takes V8 6 ms to compile, which the first mail would wait for.
 */
function holdsVerb(name: string, verbs: ReadonlySet<string>): boolean {
  const joined = name.replace(HYPHENED, (word) => word.replace('-', ''));
  return (
    lettersOf(name).some((letters) => isVerb(letters, verbs)) ||
    (joined !== name && lettersOf(joined).some((letters) => isVerb(letters, verbs)))
  );
}

function lettersOf(name: string): string[] {
  return name.split(/[^A-Za-z]+/).map((letters) => letters.toLowerCase());
}

function isVerb(letters: string, verbs: ReadonlySet<string>): boolean {
  if (letters.length > MAX_VERB_CHARS) return false;
  return OBJECTS.some(
    (before) =>
      letters.startsWith(before) &&
      OBJECTS.some(
        (behind) => letters.endsWith(behind) && verbs.has(letters.slice(before.length, letters.length - behind.length)),
      ),
  );
}

const WORD = /verify|confirm|reset|token|activate|auth/i;
/** What a page of an application is named of: what is done, to what, and words between. Anything else is a title's. */
const PLAIN_WORDS: ReadonlySet<string> = new Set([
  ...OBJECTS,
  ...VERIFY_WORDS,
  ...[
    'emails links confirmed verified reset activate activated token tokens two factor mfa otp code sign log in up on',
    'your my the to and or by with via of for new change request start complete finish set update forgot forgotten',
    'lost order booking payment appointment reservation invitation invite subscription newsletter phone number mobile',
    'sms customer member client profile register team access page form step',
  ].flatMap((line) => line.split(' ')),
]);
/** Those of no list: numbers, `2fa`, languages and `auth` however it goes on. */
const PLAIN_SHAPE = /^(?:[a-z]{1,2}|\d{1,6}|2fa|auth[a-z]{0,12})$/;
const MIN_TITLE_WORDS = 3;
const MAY_BE_TITLE = /^[^?#]{0,400}[-_+.][^/?#_+.-]{1,40}[-_+.]/;
/** Parameters that count visits. */
const COUNTED = /^(?:utm_[a-z]{1,16}|ref|source|lang|locale)=/i;

/** Whether an address has the interface's words only in the title of a page, such as `/jak-na-reset-telefonu`. */
export function isTitleOfPage(rest: string): boolean {
  // Most addresses are none, and that shows at once.
  if (!MAY_BE_TITLE.test(rest)) return false;
  const [path = '', ...values] = rest.split(/[?#&]/);
  if (values.some((value) => value.includes('=') && !COUNTED.test(value))) return false;
  const segments = path.split('/');
  const names = segments.filter((name) => WORD.test(name));
  return names.length > 0 && names.every(isTitleName) && !segments.some((name) => name.split(/[-_+.]/).some(isRandom));
}

function isTitleName(name: string): boolean {
  const words = name.split(/[-_+. ]/).filter((word) => word !== '');
  return words.length >= MIN_TITLE_WORDS && words.some((word) => !isPlainWord(word.toLowerCase()));
}

function isPlainWord(word: string): boolean {
  return PLAIN_WORDS.has(word) || PLAIN_SHAPE.test(word);
}

const MIN_RANDOM_CHARS = 8;

/** Letters and digits of a token, or of a part of one. */
function isRandom(word: string): boolean {
  return word.length >= MIN_RANDOM_CHARS && /\d/.test(word) && /[a-z]/i.test(word);
}
