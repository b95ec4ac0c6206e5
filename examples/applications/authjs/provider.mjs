import Nodemailer from '@auth/core/providers/nodemailer';

const { EMAIL_SERVER = 'smtp://127.0.0.1:2525' } = process.env;

export const provider = Nodemailer({ server: EMAIL_SERVER, from: 'app@example.test' });
