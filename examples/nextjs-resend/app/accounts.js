'use server';

import { randomInt } from 'node:crypto';
import { redirect } from 'next/navigation';
import { Resend } from 'resend';

// Your application has a database instead.
globalThis.codes ??= new Map();

export async function signUp(form) {
  const email = String(form.get('email'));
  const code = String(randomInt(100_000, 1_000_000));
  globalThis.codes.set(email, code);
  const { error } = await new Resend(process.env.RESEND_API_KEY).emails.send({
    from: 'Acme <hello@acme.test>',
    to: email,
    subject: 'Your code for Acme',
    html: `<p>Your verification code is <strong>${code}</strong>.</p>`,
  });
  redirect(error ? `/?problem=${encodeURIComponent(error.message)}` : `/?email=${encodeURIComponent(email)}`);
}

export async function confirm(form) {
  const email = String(form.get('email'));
  const isRight = globalThis.codes.get(email) === form.get('code');
  redirect(`/?${isRight ? 'welcome' : 'problem'}=${encodeURIComponent(isRight ? email : 'That code is not right.')}`);
}
