/** What the address of a link says that mail carries by custom, mostly in its footer. */
export type FooterKind = 'unsubscribe' | 'preferences' | 'view-online' | 'report';

const BEGIN = '(?<![a-z])';
const END = '(?![a-z])';
const JOINT = '[-_./]?';

/** Names of what a reader sets: `/email-settings`, `/settings/notifications`, `/manage-subscription`. */
const MAIL =
  '(?:e-?mails?|mail(?:ing)?s?|mailing-?lists?|notifications?|subscriptions?|newsletters?|communications?|alerts?)';
const SETTINGS = '(?:settings?|preferences?|prefs?|options|manage|manager|management|cent(?:er|re))';

const UNSUBSCRIBE_WORDS = [
  'unsub(?:scri[a-z]{1,8})?',
  'opt[-_]?outs?',
  'remove[-_]?me',
  'd[eé]s(?:abonn|inscri)[a-zé]{0,10}',
  'abbestell[a-z]{0,4}|abmelden|abmeldung|austragen',
  'afmelden|uitschrijven',
  'avregistrera|avprenumerera|avmeld[a-z]{0,4}|afmeld',
  'desinscrever|descadastr[a-z]{0,4}|cancelar[-_]?(?:suscripcion|inscricao|assinatura)|(?:darse[-_]?de[-_]?)?baja',
  'disiscri[a-z]{0,6}|cancella[-_]?iscrizione',
  'wypisz(?:[-_]?sie)?|odhlasit[-_]?odber|leiratkoz[a-z]{0,4}|dezabonare|otpis[a-z]{0,6}',
  'berhenti[-_]?(?:ber)?langganan|huy[-_]?dang[-_]?ky|abonelikten[-_]?cik',
].join('|');

/** What each kind is called in a path, in any case. A word stands between what are no letters. */
const PATHS: readonly (readonly [kind: FooterKind, path: RegExp])[] = [
  ['unsubscribe', new RegExp(`unsubscri|${BEGIN}(?:${UNSUBSCRIBE_WORDS})${END}`, 'i')],
  [
    'preferences',
    new RegExp(`${BEGIN}(?:preferences?${END}|${MAIL}${JOINT}${SETTINGS}${END}|${SETTINGS}${JOINT}${MAIL}${END})`, 'i'),
  ],
  [
    'view-online',
    new RegExp(
      `${BEGIN}(?:(?:view|open|read|show|see)${JOINT}(?:this${JOINT})?(?:in${JOINT}(?:a|the|your)?${JOINT}browser|online|e?mail|newsletter)|(?:web|online|browser)${JOINT}(?:version|view|copy)|(?:e?mail|newsletter)${JOINT}view)${END}`,
      'i',
    ),
  ],
  [
    'report',
    new RegExp(
      `${BEGIN}(?:report${JOINT}(?:abuse|spam|phishing|mail|email)|(?:abuse|spam|phishing)${JOINT}reports?|complaints?|abuse)${END}`,
      'i',
    ),
  ],
];

/** `?action=unsubscribe`, `?unsubscribe=1`. */
const UNSUBSCRIBES_BY_QUERY =
  /[?&](?:(?:action|do|op|mode|type|cmd|task|page|view|event|a|m)=)?(?:list[-_]?)?(?:unsub(?:scribe)?|opt[-_]?out)(?:=|&|#|$)/i;

/** `unsubscribe.example.com`. */
const HOST = /^[a-z]{2,5}:\/\/(?:[a-z0-9-]{1,63}\.){0,3}(unsub(?:scribe)?|opt-?out|preferences?|email-?preferences)\./i;

/** An address for mail may be confirmed in the same place: `/settings/notifications/verify`. */
const VERIFIES = /\/(?:verify|confirm|activate)[a-z_-]{0,20}(?:[/?#]|$)/i;

/** Which kind of a footer's link an address says that it is, or null. `rest` is what follows the host. */
export function footerKind(address: string, rest: string): FooterKind | null {
  const path = rest.replace(/\?[^#]*/g, '');
  const kind = PATHS.find(([, pattern]) => pattern.test(path))?.[0] ?? null;
  if (kind === 'unsubscribe' || UNSUBSCRIBES_BY_QUERY.test(rest)) return 'unsubscribe';
  if (kind !== null) return VERIFIES.test(path) ? null : kind;
  const host = HOST.exec(address)?.[1];
  if (host === undefined) return null;
  return /pref/i.test(host) ? 'preferences' : 'unsubscribe';
}
