/** Kinds of links that are common in footers and recognizable by their address. */
export type FooterKind = 'unsubscribe' | 'preferences' | 'view-online' | 'report';

const BEGIN = '(?<![a-z])';
const END = '(?![a-z])';
const JOINT = '[-_./]?';

/** Paths for preferences: `/email-settings`, `/settings/notifications`, `/manage-subscription`. */
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

/** Each kind, its explanation, and the words for it in a path. */
export const FOOTER_KINDS: readonly (readonly [kind: FooterKind, says: string, path: RegExp])[] = [
  ['unsubscribe', 'to unsubscribe', new RegExp(`unsubscri|${BEGIN}(?:${UNSUBSCRIBE_WORDS})${END}`, 'i')],
  [
    'preferences',
    'to change email preferences or settings',
    new RegExp(`${BEGIN}(?:preferences?${END}|${MAIL}${JOINT}${SETTINGS}${END}|${SETTINGS}${JOINT}${MAIL}${END})`, 'i'),
  ],
  [
    'view-online',
    'to view the message in a browser',
    new RegExp(
      `${BEGIN}(?:(?:view|open|read|show|see)${JOINT}(?:this${JOINT})?(?:in${JOINT}(?:a|the|your)?${JOINT}browser|online|e?mail|newsletter)|(?:web|online|browser)${JOINT}(?:version|view|copy)|(?:e?mail|newsletter)${JOINT}view)${END}`,
      'i',
    ),
  ],
  [
    'report',
    'to report spam or abuse',
    new RegExp(
      `${BEGIN}(?:report${JOINT}(?:abuse|spam|phishing|mail|email)|(?:abuse|spam|phishing)${JOINT}reports?|complaints?|abuse)${END}`,
      'i',
    ),
  ],
];

/** Examples: `?action=unsubscribe`, `?unsubscribe=1`. */
const UNSUBSCRIBES_BY_QUERY =
  /[?&](?:(?:action|do|op|mode|type|cmd|task|page|view|event|a|m)=)?(?:list[-_]?)?(?:unsub(?:scribe)?|opt[-_]?out)(?:=|&|#|$)/i;

/** Paths that confirm something, although they look like a footer link's: `/settings/notifications/verify`. */
const VERIFIES = /\/(?:verify|confirm|activate)[a-z_-]{0,20}(?:[/?#]|$)/i;

/** The kind of footer link that an address names, or null. `rest` is the part after the host. */
export function footerKind(host: string, rest: string): FooterKind | null {
  if (UNSUBSCRIBES_BY_QUERY.test(rest)) return 'unsubscribe';
  // The host may contain the word: `unsubscribe.example.com`. The space separates the host from the path.
  const path = `${host.split('.').slice(0, -2).join('.')} ${rest.replace(/\?[^#]*/g, '')}`;
  const kind = FOOTER_KINDS.find(([, , pattern]) => pattern.test(path))?.[0] ?? null;
  return kind !== 'unsubscribe' && VERIFIES.test(path) ? null : kind;
}
