// Stands in for an application with this provider. Signs in with an address, as the application's form does.
import { Auth, skipCSRFCheck } from '@auth/core';
import { provider } from './provider.mjs';

/** The only adapter methods that Auth.js requires for sign-in by email. */
const adapter = {
  getUserByEmail: async () => null,
  createVerificationToken: async (token) => token,
  useVerificationToken: async () => null,
};

const body = new URLSearchParams({ email: process.env.TO, callbackUrl: 'http://127.0.0.1:3000' });
const request = new Request('http://127.0.0.1:3000/auth/signin/nodemailer', { method: 'POST', body });
const session = { strategy: 'jwt' };
const config = {
  adapter,
  session,
  providers: [provider],
  secret: 'any',
  trustHost: true,
  basePath: '/auth',
  skipCSRFCheck,
};
const answer = await Auth(request, config);
if (!answer.headers.get('location')?.includes('verify-request')) throw new Error(`Auth.js answered ${answer.status}`);
