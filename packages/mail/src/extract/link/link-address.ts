import type { Exclusion } from '../score.js';
import { isPlainWord, isTitleOfPage, KEYWORD, namedAction } from './action-names.js';
import { FOOTER_KINDS, footerKind } from './footer-addresses.js';
import { meantAddress, partsOf, unescaped, withoutReturnAddresses } from './redirects.js';

/** `?token=…`, `&user.auth_key=…`, `?inviteToken=…`. */
const NAMED_TOKEN = /[?&#;][\w.-]{0,64}(?:token|auth)(?:[._-][\w.-]{1,64})?=/i;
const ACCIDENT = /author(?!i[sz])|authentic(?!at)|preset|token(?:i[sz]|omic)/gi;
/** `/browse/AUTH-482`: the key of a project, and the number of what is to do in it. */
const ISSUE_KEY = /(?<![A-Za-z0-9])(?:VERIFY|CONFIRM|RESET|TOKEN|ACTIVATE|AUTH)-\d{1,6}(?![A-Za-z0-9])/g;

const FILE = /^[^?#]*\.(?:png|jpe?g|gif|svg|webp|ico|css|js|woff2?)(?:[?#]|$)/i;

/** Undoes what another link does. */
const CANCELS = /(?<![a-z])(?:cancel|decline|deny|reject|undo|revert|deactivate)(?![a-z])/i;
/** To keep an account is what the email is for. */
const DELETES = /delet|remov|closure/i;
/** For a reader who did not do what the mail tells of. */
const SECURES = /(?<![a-z])(?:disavow|lock|freeze|block|dispute|revoke|not-?me|wasnt-?me)(?![a-z])/i;
/** Other names of what resets a password. */
const RECOVERS = /(?<![a-z])(?:passw(?:or)?d[-_/]?)?(?:lost|forgot(?:ten)?|recovery?)(?:[-_/]?passw(?:or)?d)?/gi;

/** C0 controls: browsers drop some and refuse or encode others, so such an address is not the one opened. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f]/;

export type Address = ReturnType<typeof addressOf>;

/** An address as it is judged. `isCut`: a line break cuts it, and where it goes on cannot be told. */
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
    /** What it leads to, if a mail scanner or a counter of clicks rewrote it; itself otherwise. */
    meant,
    /** Path, query and fragment of that. Where a redirect carries another address, that one is part of it. */
    rest,
    footer: footerKind(host, rest),
    /** One of the interface's words is a name in it: `/verify-email`, `/resetPassword`, `?token=…`. */
    isNamed: action !== null || NAMED_TOKEN.test(rest),
    /** It holds such a word only by accident in another one, as in `/author/`. */
    isAccident: KEYWORD.test(rest) && !KEYWORD.test(plain.replace(ACCIDENT, '')),
    action,
    /** It carries something that nobody made up. */
    secret: !titled && hasSecret(rest),
    /** It holds the word nowhere but in the title of a page. */
    titled,
    /** It cancels or declines something. */
    cancels: CANCELS.test(own),
    /** It locks an account or disputes something. */
    secures: SECURES.test(own) && !deletes,
    /** It speaks of deleting something. */
    deletes,
  };
}

/** Why nobody is meant to follow a link, or cannot. The first that holds counts. */
export const UNFOLLOWED: readonly Exclusion<Address>[] = [
  ['cut-link', 'a line break cuts it, and where it goes on cannot be told', ({ isCut }) => isCut],
  ['unopenable', 'no browser opens it', ({ url }) => CONTROL.test(url) || !URL.canParse(url)],
  ...FOOTER_KINDS.map(
    ([kind, says]): Exclusion<Address> => [`${kind}-address`, `its address says ${says}`, (a) => a.footer === kind],
  ),
  ['file', 'it is the address of an image, a style sheet or a script', ({ rest }) => FILE.test(rest)],
];

/**
 * Why a link that holds one of the interface's words is no magic link whatever its points. The first that holds counts.
 */
export const LINK_EXCLUSIONS: readonly Exclusion<Address>[] = [
  ['rewriters-word', 'the word is not in the address that the link leads to', ({ meant }) => !KEYWORD.test(meant)],
  ...UNFOLLOWED,
];

/** Parts of an address this long can hold a secret. */
const MIN_SECRET_CHARS = 16;
/** Shorter values count when their name says so. */
const NAMED_SECRET = /(?:token|code|key|hash|sig|signature|secret|otp|nonce|ticket|auth|[?&#][kct])=[^&#\s]{6,}/i;
/** What follows a verb as a value of its own or is assigned to it: `/confirm/482/k3d9x2`, `?confirm=k3d9x2`. */
const BEHIND_VERB = /(?<![a-z])(?:verify|confirm|reset|activate|token)[a-z_-]{0,20}[/=](?=[^/?&#]{0,64}\d)[^/?&#]{4}/i;
/** The same without a digit, if it says nothing: `?activate=abqzkpwv`. */
const ASSIGNED = /(?<![a-z])(?:verify|confirm|reset|activate)[a-z_-]{0,20}=([a-z]{8,64})(?![^&#])/i;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i;

/** A named or unique value, or a long one of letters and digits or of mixed case. */
function hasSecret(rest: string): boolean {
  return (
    NAMED_SECRET.test(rest) ||
    BEHIND_VERB.test(rest) ||
    !isPlainWord(ASSIGNED.exec(rest)?.[1] ?? '') ||
    UUID.test(rest) ||
    rest.split(/[/?&=#.%~:_-]/).some(looksRandom)
  );
}

function looksRandom(value: string): boolean {
  if (value.length < MIN_SECRET_CHARS) return false;
  return /\d/.test(value) || /[a-z][A-Z].{0,40}[a-z][A-Z]/.test(value);
}
