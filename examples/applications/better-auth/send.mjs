// Stands for an application with this configuration: asks for a code, as its form does.
import { auth } from './auth.mjs';

await auth.api.sendVerificationOTP({ body: { email: process.env.TO, type: 'sign-in' } });
