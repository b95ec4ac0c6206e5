import { type SmtpError, smtpErrors } from '../errors.js';
import type { SettingName } from '../settings/table.js';

/** The route of a request that came to none. */
export const UNMATCHED = 'unmatched';

/** The setting whose limit an error tells of. */
export const SMTP_LIMITS: ReadonlyMap<SmtpError, SettingName> = new Map<SmtpError, SettingName>([
  [smtpErrors.tooManyMails, 'smtp-limit'],
  [smtpErrors.tooManyConnections, 'smtp-connections'],
  [smtpErrors.allConnectionsTaken, 'smtp-connections-total'],
  [smtpErrors.tooMuchInFlight, 'max-in-flight'],
  [smtpErrors.tooMuchFromClient, 'max-in-flight'],
  [smtpErrors.messageTooLarge, 'max-message'],
  [smtpErrors.tooManyRecipients, 'max-recipients'],
  [smtpErrors.inboxFull, 'max-emails'],
  [smtpErrors.storeFull, 'store-budget'],
  [smtpErrors.dataTooLate, 'smtp-data-time'],
  [smtpErrors.dataTooSlow, 'smtp-data-speed'],
  [smtpErrors.idleTooLong, 'smtp-idle'],
]);

/** Labels of the routes: there are as many as routes. */
const routeLabels = new Map<string, string>();

/** A route as people write it: `/api/inbox/:name/:receivedAt(^…$)` is `/api/inbox/{name}/{receivedAt}`. */
export function routeLabel(route: string): string {
  let label = routeLabels.get(route);
  if (label === undefined) {
    label = route === '*' ? UNMATCHED : route.replace(/:(\w+)(?:\([^/]*\))?/g, '{$1}');
    routeLabels.set(route, label);
  }
  return label;
}
