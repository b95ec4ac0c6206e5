import FormData from 'form-data';
import Mailgun from 'mailgun.js';

const url = process.env.MAILGUN_URL ?? 'https://api.mailgun.net';
const mailgun = new Mailgun(FormData).client({ username: 'api', key: process.env.MAILGUN_API_KEY, url });

const DOMAIN = 'mg.acme.test';

const mailOf = ({ from, to, cc, bcc, subject, text, html, files }) => ({
  ...(from !== null && { from: `"${from.name}" <${from.email}>` }),
  to: to.map(({ name, email }) => (name === '' ? email : `"${name}" <${email}>`)),
  ...(cc.length > 0 && { cc }),
  ...(bcc.length > 0 && { bcc }),
  subject,
  ...(text !== '' && { text }),
  ...(html !== '' && { html }),
  attachment: filesOf(files.filter(({ cid }) => cid === null)),
  // Mailgun uses the name of an inline file as its Content-ID.
  inline: filesOf(files.filter(({ cid }) => cid !== null)),
});

const filesOf = (files) =>
  files.map(({ name, type, content, cid }) => ({
    filename: cid ?? name,
    contentType: type,
    data: Buffer.from(content, 'base64'),
  }));

const send = async (mail) => [(await mailgun.messages.create(DOMAIN, mail)).id];

export const calls = {
  'mailgun.js': {
    send: (job) => send(mailOf(job)),
    raw: ({ raw, to }) => send({ to: to.map(({ email }) => email), message: Buffer.from(raw, 'base64') }),
    batch: ({ each, ...job }) =>
      send({
        ...mailOf({ ...job, text: 'Code: %recipient.code%' }),
        to: each.map(({ email }) => email),
        'recipient-variables': JSON.stringify(Object.fromEntries(each.map(({ email, code }) => [email, { code }]))),
      }),
    template: ({ template: { id, variables }, ...job }) =>
      send({ ...mailOf(job), template: id, 't:variables': JSON.stringify(variables) }),
    failure: ({ type, status, details }) => ({ type, status, code: null, message: details }),
  },
};
