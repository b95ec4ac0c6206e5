import { basicCredentials, type Request } from '../../server/dist/extension/extension.js';

/** AWS's signature names the access key; the secret one is not sent. */
const AWS_KEY = /^AWS4-HMAC-SHA256 Credential=([^/,\s]{1,200})\//;

/**
 * The key that a provider's SDK sends, or null: as bearer (Resend, SendGrid), in Postmark's header, as the password of
 * Basic authentication (Mailgun), or as the access key (SES). Only a pair that names a space means anything (D66).
 */
export function keyOf(request: Request): string | null {
  const { authorization = '', 'x-postmark-server-token': token } = request.headers;
  if (typeof token === 'string') return token;
  const basic = basicCredentials(request);
  if (basic !== null) return basic.password;
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? AWS_KEY.exec(authorization)?.[1] ?? null;
}
