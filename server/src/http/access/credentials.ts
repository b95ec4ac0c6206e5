import type { Request } from '../framework.js';
import { isThereTwice } from './host.js';

/** Basic authentication (RFC 7617 section 2). */
interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** The key of a bearer credential (RFC 6750 section 2.1): empty if unreadable, null without such a credential. */
export function bearerKey(request: Request): string | null {
  return credentialOf(request, 'bearer');
}

/** The user and password of Basic authentication, empty if unreadable; null without it. */
export function basicCredentials(request: Request): BasicCredentials | null {
  const credential = credentialOf(request, 'basic');
  if (credential === null) return null;
  const [user = '', password = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  return { user, password };
}

/** What follows a scheme in lower case; empty for two headers, which readers may take differently. Linear: 16 KiB. */
function credentialOf({ headers, raw }: Request, scheme: string): string | null {
  const credential = headers.authorization;
  if (credential === undefined) return null;
  if (isThereTwice(raw.rawHeaders, 'authorization')) return '';
  const rest = credential.slice(scheme.length);
  const isOfScheme =
    credential.slice(0, scheme.length).toLowerCase() === scheme && (rest === '' || rest.startsWith(' '));
  return isOfScheme ? rest.trim() : null;
}
