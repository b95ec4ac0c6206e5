import { Client } from '@sendgrid/client';
import sgMail from '@sendgrid/mail';

const client = new Client();
client.setApiKey(process.env.SENDGRID_API_KEY);
if (process.env.SENDGRID_BASE_URL) client.setDefaultRequest('baseUrl', process.env.SENDGRID_BASE_URL);
sgMail.setClient(client);

const mailOf = ({ from, to, cc, bcc, subject, text, html, files }) => ({
  ...(from !== null && { from }),
  to,
  cc,
  bcc,
  subject,
  ...(text !== '' && { text }),
  ...(html !== '' && { html }),
  attachments: files.map(({ name, type, content, cid }) => ({
    filename: name,
    type,
    content,
    ...(cid === null ? { disposition: 'attachment' } : { disposition: 'inline', content_id: cid }),
  })),
});

async function send(mail) {
  const [{ headers }] = await sgMail.send(mail);
  return [headers['x-message-id']];
}

export const calls = {
  '@sendgrid/mail': {
    send: (job) => send(mailOf(job)),
    batch: ({ each, from, subject }) =>
      send({
        from,
        subject,
        text: 'Code: {{code}}',
        personalizations: each.map(({ email, code }) => ({ to: email, substitutions: { code } })),
      }),
    template: ({ template: { id, variables }, from, to }) =>
      send({ from, to, templateId: id, dynamicTemplateData: variables }),
    failure: (error) => ({
      type: error.constructor.name,
      status: error.code,
      code: null,
      message: error.response.body.errors[0].message,
    }),
  },
};
