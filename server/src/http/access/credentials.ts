import type { Request } from '../framework.js';
import { isThereTwice } from './host.js';

/** What Basic authentication carries (RFC 7617 section 2). */
interface BasicCredentials {
  readonly user: string;
  readonly password: string;
}

/** The key of a bearer credential (RFC 6750 section 2.1), empty where it cannot be read; null without such a credential. */
export function bearerKey(request: Request): string | null {
  return credentialOf(request, 'bearer');
}

/** The user and the password of Basic authentication, empty where they cannot be read; null without it. */
export function basicCredentials(request: Request): BasicCredentials | null {
  const credential = credentialOf(request, 'basic');
  if (credential === null) return null;
  const [user = '', password = ''] = Buffer.from(credential, 'base64').toString().split(/:(.*)/s);
  return { user, password };
}

/**
 * What follows a scheme, named in lower case; empty where the header is there twice, which two readers might read differently. Taken
 * apart by hand: a header may have 16 KiB that an expression can stumble over.
 */
function credentialOf({ headers, raw }: Request, scheme: string): string | null {
  const credential = headers.authorization;
  if (credential === undefined) return null;
  if (isThereTwice(raw.rawHeaders, 'authorization')) return '';
  const rest = credential.slice(scheme.length);
  const isOfScheme =
    credential.slice(0, scheme.length).toLowerCase() === scheme && (rest === '' || rest.startsWith(' '));
  return isOfScheme ? rest.trim() : null;
}
