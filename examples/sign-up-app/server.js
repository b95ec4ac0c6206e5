// A small application to test. It emails new users a code and a link, and either one confirms the address. Users with a
// phone number get the code by text message.
import { randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { createTransport } from 'nodemailer';
import { codePage, messagePage, signUpPage } from './pages.js';

const PORT = Number(process.env.PORT ?? 3000);
const ADDRESS = `http://127.0.0.1:${PORT}`;
const MAX_FORM_BYTES = 10_000;

/** Sends to Mayfly. An application needs only Mayfly's SMTP host and port. */
const mail = createTransport({ host: '127.0.0.1', port: Number(process.env.SMTP_PORT ?? 2525) });

/** Mayfly in place of https://api.twilio.com. */
const SMS_URL = process.env.MAYFLY_URL ?? 'http://127.0.0.1:8080';

/** The code and the link's token of each unconfirmed user, by address. */
const pending = new Map();

const ROUTES = {
  'GET /': (query) => page(signUpPage(query.get('error'))),
  'POST /sign-up': async (form) => {
    const phone = form.get('phone');
    if (phone !== null) return signUpByText(phone);
    const email = form.get('email') ?? '';
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return redirect('/', { error: 'That is not an email address.' });
    const entry = { code: String(randomInt(100_000, 1_000_000)), token: randomBytes(16).toString('hex') };
    pending.set(email, entry);
    await sendConfirmation(email, entry);
    return redirect('/code', { email });
  },
  'GET /code': (query) => page(codePage(query.get('email') ?? '', query.get('error'))),
  'POST /code': (form) => {
    const email = form.get('email') ?? '';
    if (pending.get(email)?.code === form.get('code')) return confirm(email);
    return redirect('/code', { email, error: 'That code is not right.' });
  },
  'GET /confirm': (query) => {
    const [email] = [...pending].find(([, { token }]) => token === query.get('token')) ?? [];
    return email === undefined ? page(messagePage('This link is no longer valid.')) : confirm(email);
  },
};

async function sendConfirmation(to, { code, token }) {
  const link = `${ADDRESS}/confirm?token=${token}`;
  await mail.sendMail({
    from: '"Nimbus" <hello@nimbus.example>',
    to,
    subject: 'Confirm your address',
    text: `Your code is ${code}.\n\nOr open this link:\n${link}\n`,
    html: `<p>Your code is <b>${code}</b>.</p><p><a href="${link}">Confirm your address</a></p>`,
  });
}

/** Sends a text as Twilio's SDK does. An application that uses the SDK replaces its host (docs/sms.md). */
async function signUpByText(phone) {
  const code = String(randomInt(100_000, 1_000_000));
  const fields = { To: phone, From: '+15005550006', Body: `Your code for Nimbus is ${code}.` };
  const url = `${SMS_URL}/2010-04-01/Accounts/ACany/Messages.json`;
  const headers = { authorization: `Basic ${btoa('ACany:any')}` };
  const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) });
  if (!answer.ok) return redirect('/', { error: 'We cannot text that number.' });
  pending.set(phone, { code });
  return redirect('/code', { email: phone });
}

function confirm(email) {
  pending.delete(email);
  return page(messagePage(`Welcome, ${email}`));
}

const page = (html) => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html });
const redirect = (path, query) => ({
  status: 303,
  headers: { location: `${path}?${new URLSearchParams(query)}` },
  body: '',
});

async function readForm(request) {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MAX_FORM_BYTES) throw new Error('The form is too large.');
  }
  return new URLSearchParams(text);
}

const server = createServer(async (request, response) => {
  try {
    const { pathname, searchParams } = new URL(request.url, ADDRESS);
    const route = ROUTES[`${request.method} ${pathname}`];
    const input = request.method === 'POST' ? await readForm(request) : searchParams;
    const answer =
      route === undefined ? { ...page(messagePage('There is no such page.')), status: 404 } : await route(input);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
});

server.listen(PORT, '127.0.0.1', () => console.log(`The sign-up application listens on ${ADDRESS}`));
