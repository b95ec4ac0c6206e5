// Stands in for an application with this configuration: requests a code, as its form does.
import { auth } from './auth.mjs';

await auth.api.sendVerificationOTP({ body: { email: process.env.TO, type: 'sign-in' } });
