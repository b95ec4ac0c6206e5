import { betterAuth } from 'better-auth';
import { emailOTP } from 'better-auth/plugins';
import { createTransport } from 'nodemailer';

const { SMTP_HOST = '127.0.0.1', SMTP_PORT = '2525' } = process.env;
const mail = createTransport({ host: SMTP_HOST, port: Number(SMTP_PORT) });

export const auth = betterAuth({
  plugins: [
    emailOTP({
      sendVerificationOTP: async ({ email, otp }) => {
        await mail.sendMail({ from: 'app@example.test', to: email, subject: 'Sign in', text: `Your code is ${otp}` });
      },
    }),
  ],
});
