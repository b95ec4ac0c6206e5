// Stands in for an application with this configuration. Requests a code, as the application's form does.
import { auth } from './auth.mjs';

await auth.api.sendVerificationOTP({ body: { email: process.env.TO, type: 'sign-in' } });
