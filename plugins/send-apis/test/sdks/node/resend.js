import { Resend } from 'resend';

const resend = new Resend(process.env.RESEND_API_KEY);

const mailOf = ({ from, to, cc, bcc, subject, text, html, files }) => ({
  ...(from !== null && { from: `${from.name} <${from.email}>` }),
  to: to.map(({ name, email }) => (name === '' ? email : `"${name}" <${email}>`)),
  cc,
  bcc,
  subject,
  text,
  html,
  attachments: files.map(({ name, type, content, cid }) => ({
    filename: name,
    contentType: type,
    content: Buffer.from(content, 'base64'),
    ...(cid !== null && { contentId: cid }),
  })),
});

/** Throws the error that this SDK returns instead of throwing it. */
function dataOf({ data, error }) {
  if (error !== null) throw error;
  return data;
}

export const calls = {
  resend: {
    send: async (job) => [dataOf(await resend.emails.send(mailOf(job))).id],
    batch: async ({ each, ...job }) => {
      const mails = each.map(({ email, code }) => mailOf({ ...job, to: [{ name: '', email }], text: `Code: ${code}` }));
      return dataOf(await resend.batch.send(mails)).data.map(({ id }) => id);
    },
    template: async ({ template, ...job }) => {
      const { from, to } = mailOf(job);
      return [dataOf(await resend.emails.send({ from, to, template })).id];
    },
    failure: ({ name, statusCode, message }) => ({ type: null, status: statusCode, code: name, message }),
  },
};
