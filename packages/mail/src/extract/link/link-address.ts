import type { Exclusion } from '../score.js';
import { isPlainWord, isTitleOfPage, KEYWORD, namedAction } from './action-names.js';
import { FOOTER_KINDS, footerKind } from './footer-addresses.js';
import { meantAddress, partsOf, unescaped, withoutReturnAddresses } from './redirects.js';

/** Examples: `?token=…`, `&user.auth_key=…`, `?inviteToken=…`. */
const NAMED_TOKEN = /[?&#;][\w.-]{0,64}(?:token|auth)(?:[._-][\w.-]{1,64})?=/i;
const ACCIDENT = /author(?!i[sz])|authentic(?!at)|preset|token(?:i[sz]|omic)/gi;
/** An issue key, such as `AUTH-482` in `/browse/AUTH-482`. */
const ISSUE_KEY = /(?<![A-Za-z0-9])(?:VERIFY|CONFIRM|RESET|TOKEN|ACTIVATE|AUTH)-\d{1,6}(?![A-Za-z0-9])/g;

const FILE = /^[^?#]*\.(?:png|jpe?g|gif|svg|webp|ico|css|js|woff2?)(?:[?#]|$)/i;

/** Words of links that undo an action. */
const CANCELS = /(?<![a-z])(?:cancel|decline|deny|reject|undo|revert|deactivate)(?![a-z])/i;
/** Words for deletion. A link that cancels a deletion may be the purpose of its message. */
const DELETES = /delet|remov|closure/i;
/** Words of links for readers who did not cause the event that the message reports, as in "This wasn't me". */
const SECURES = /(?<![a-z])(?:disavow|lock|freeze|block|dispute|revoke|not-?me|wasnt-?me)(?![a-z])/i;
/** Words for resetting a password. */
const RECOVERS = /(?<![a-z])(?:passw(?:or)?d[-_/]?)?(?:lost|forgot(?:ten)?|recovery?)(?:[-_/]?passw(?:or)?d)?/gi;

/** Matches C0 controls. Browsers drop, refuse or encode such characters, so a click would open a different address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters
const CONTROL = /[\u0000-\u001f]/;

export type Address = ReturnType<typeof addressOf>;

/** Facts about an address. `isCut` means that a line break may have cut the address. */
export function addressOf(url: string, isCut: boolean) {
  const meant = meantAddress(url);
  const { host, path, query } = partsOf(meant);
  const written = unescaped(path + query);
  const rest = /passw(?:or)?d/i.test(written) ? written.replace(RECOVERS, 'reset-password') : written;
  const own = withoutReturnAddresses(rest);
  const deletes = DELETES.test(rest);
  const plain = rest.replace(ISSUE_KEY, '');
  const action = namedAction(plain);
  const titled = isTitleOfPage(rest);
  return {
    url,
    isCut,
    /** The target, if a link scanner or click counter rewrote the address; otherwise the address itself. */
    meant,
    /** Path, query and fragment of `meant`, including any address inside them. */
    rest,
    footer: footerKind(host, rest),
    /** A keyword is a name in the address: `/verify-email`, `/resetPassword`, `?token=…`. */
    isNamed: action !== null || NAMED_TOKEN.test(rest),
    /** A keyword occurs only within another word, as in `/author/`. */
    isAccident: KEYWORD.test(rest) && !KEYWORD.test(plain.replace(ACCIDENT, '')),
    action,
    /** The address contains a token. */
    secret: !titled && hasSecret(rest),
    /** A keyword occurs only in the title of a page, as in `/jak-na-reset-telefonu`. */
    titled,
    cancels: CANCELS.test(own),
    /** The address locks an account or disputes something. */
    secures: SECURES.test(own) && !deletes,
    deletes,
  };
}

/** Why readers should not or cannot open a link. The first match counts. */
export const UNFOLLOWED: readonly Exclusion<Address>[] = [
  ['cut-link', 'a line break cuts it off, and the rest is uncertain', ({ isCut }) => isCut],
  ['unopenable', 'browsers cannot open it', ({ url }) => CONTROL.test(url) || !URL.canParse(url)],
  ...FOOTER_KINDS.map(
    ([kind, says]): Exclusion<Address> => [`${kind}-address`, `its address says ${says}`, (a) => a.footer === kind],
  ),
  ['file', 'it is the address of an image, a style sheet or a script', ({ rest }) => FILE.test(rest)],
];

/** Why a link with a keyword is not the magic link, whatever its points. */
export const LINK_EXCLUSIONS: readonly Exclusion<Address>[] = [
  ['rewriters-word', 'the keyword is not in the address that the link leads to', ({ meant }) => !KEYWORD.test(meant)],
  ...UNFOLLOWED,
];

/** Minimum length of a token that has no name such as `token=`. */
const MIN_SECRET_CHARS = 16;
/** A token with a name, which may be shorter than `MIN_SECRET_CHARS`. */
const NAMED_SECRET = /(?:token|code|key|hash|sig|signature|secret|otp|nonce|ticket|auth|[?&#][kct])=[^&#\s]{6,}/i;
/** A value after a verb or assigned to the verb: `/confirm/482/k3d9x2`, `?confirm=k3d9x2`. */
const AFTER_VERB = /(?<![a-z])(?:verify|confirm|reset|activate|token)[a-z_-]{0,20}[/=](?=[^/?&#]{0,64}\d)[^/?&#]{4}/i;
/** A value without a digit, unless it is an ordinary word: `?activate=abqzkpwv`. */
const ASSIGNED = /(?<![a-z])(?:verify|confirm|reset|activate)[a-z_-]{0,20}=([a-z]{8,64})(?![^&#])/i;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i;

/** Whether an address has a named token, a UUID, or a long value of letters and digits or of mixed case. */
function hasSecret(rest: string): boolean {
  return (
    NAMED_SECRET.test(rest) ||
    AFTER_VERB.test(rest) ||
    !isPlainWord(ASSIGNED.exec(rest)?.[1] ?? '') ||
    UUID.test(rest) ||
    rest.split(/[/?&=#.%~:_-]/).some(looksRandom)
  );
}

function looksRandom(value: string): boolean {
  if (value.length < MIN_SECRET_CHARS) return false;
  return /\d/.test(value) || /[a-z][A-Z].{0,40}[a-z][A-Z]/.test(value);
}
