/** What an address may be there to do: to verify, confirm or activate something, or to reset it. */
export type ActionName = 'verify' | 'reset';

/** What is verified or reset, joined to the verb: `/verifyemail`, `/passwordreset`. */
const OBJECT = '(?:e?mail|account|user|password|passwd|address|login|signup|registration|identity|device|link)?';
const CAMEL = '(?<=[a-z])(?=[A-Z])';
const WORD_BEGIN = `(?:(?<![A-Za-z])|${CAMEL})`;
/** Verbs and nouns for it, also those of other languages as addresses spell them. */
const VERIFY_WORDS = [
  'approve|approval|verify|verification|confirm|confirmation|activate|activation|validate|validation|magic-?link',
  'verificar|verificacion|verificacao|verifica|verifier|verifizieren|verifieren|verifiera|weryfikacja',
  'confirmar|confirmacion|confirmacao|confirmer|conferma|confirma|bestaetigen|bestaetigung|bevestigen|bekreft|bekrafta',
  'activar|activacion|ativar|activer|attiva|attivazione|aktivieren|aktivierung|activeren|aktivera|aktivacija',
  'potwierdz|potvrdit|overit|megerosites|vahvista|xac-?minh|xac-?nhan|verifikasi|konfirmasi|dogrula|onayla',
].join('|');
const VERIFY = new RegExp(
  `(?<![a-z])${OBJECT}(?:${VERIFY_WORDS})${OBJECT}(?![a-z])|^accept(?:[-_]?invit[a-z]{1,6})?$`,
  'i',
);
const VERIFY_BY_CAPITALS = new RegExp(`${WORD_BEGIN}(?:[Vv]erify|[Cc]onfirm|[Aa]ctivate|[Mm]agic)(?![a-z])`);
const RESET = new RegExp(`(?<![a-z])${OBJECT}reset${OBJECT}(?![a-z])`, 'i');
const RESET_BY_CAPITALS = new RegExp(`${WORD_BEGIN}[Rr]eset(?![a-z])`);

/** Words of a title that has become a path: `/how-to-verify-your-address`. */
const TITLE_WORDS =
  /(?<![a-z])(?:how|why|what|when|to|your|our|my|the|a|an|of|for|and|ways?|guide|tips?|faq)(?![a-z])/i;
const MAX_NAME_WORDS = 4;

/** What an address says that it does, by what follows its host, or null. */
export function namedAction(rest: string): ActionName | null {
  const names = rest.split(/[/?#&]/).filter((name) => !isTitle(name));
  if (names.some((name) => VERIFY.test(name) || VERIFY_BY_CAPITALS.test(name))) return 'verify';
  return names.some((name) => RESET.test(name) || RESET_BY_CAPITALS.test(name)) ? 'reset' : null;
}

/** Whether an address names an action nowhere but in the title of a page. */
export function isTitled(rest: string): boolean {
  const names = rest.split(/[/?#&]/).filter((name) => VERIFY.test(name) || RESET.test(name));
  return names.length > 0 && names.every(isTitle);
}

function isTitle(name: string): boolean {
  const [words] = name.split('=', 1) as [string];
  return words.split(/[-_+.]/, MAX_NAME_WORDS + 1).length > MAX_NAME_WORDS || TITLE_WORDS.test(words);
}
