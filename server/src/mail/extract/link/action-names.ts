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

/** Words of a title that has become a path: `/how-to-verify-your-address`. */
const TITLE_WORDS =
  /(?<![a-z])(?:how|why|what|when|to|your|our|my|the|a|an|of|for|and|ways?|guide|tips?|faq)(?![a-z])/i;
const MAX_NAME_WORDS = 4;

/** No verb with two objects is longer. */
const MAX_VERB_CHARS = 40;

/** What an address says that it does, by what follows its host, or null. */
export function namedAction(rest: string): ActionName | null {
  const names = rest.split(/[/?#&]/).filter((name) => !isTitle(name));
  if (names.some((name) => verifies(name) || VERIFY_BY_CAPITALS.test(name))) return 'verify';
  return names.some((name) => resets(name) || RESET_BY_CAPITALS.test(name)) ? 'reset' : null;
}

/** Whether an address names an action nowhere but in the title of a page. */
export function isTitled(rest: string): boolean {
  const names = rest.split(/[/?#&]/).filter((name) => verifies(name) || resets(name));
  return names.length > 0 && names.every(isTitle);
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

function isTitle(name: string): boolean {
  const [words] = name.split('=', 1) as [string];
  return words.split(/[-_+.]/, MAX_NAME_WORDS + 1).length > MAX_NAME_WORDS || TITLE_WORDS.test(words);
}
