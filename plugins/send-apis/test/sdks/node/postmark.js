import { ServerClient } from 'postmark';

const host = process.env.POSTMARK_HOST;
const client = new ServerClient(process.env.POSTMARK_TOKEN, host ? { requestHost: host, useHttps: false } : {});

const mailOf = ({ from, to, cc, bcc, subject, text, html, files }) => ({
  ...(from !== null && { From: `"${from.name}" <${from.email}>` }),
  To: to.map(({ name, email }) => (name === '' ? email : `"${name}" <${email}>`)).join(', '),
  Cc: cc.join(),
  Bcc: bcc.join(),
  Subject: subject,
  TextBody: text,
  HtmlBody: html,
  Attachments: files.map(({ name, type, content, cid }) => ({
    Name: name,
    ContentType: type,
    Content: content,
    ContentID: cid === null ? null : `cid:${cid}`,
  })),
});

export const calls = {
  postmark: {
    send: async (job) => [(await client.sendEmail(mailOf(job))).MessageID],
    batch: async ({ each, ...job }) => {
      const mails = each.map(({ email, code }) => ({ ...mailOf(job), To: email, TextBody: `Code: ${code}` }));
      return (await client.sendEmailBatch(mails)).map(({ MessageID }) => MessageID);
    },
    template: async ({ template: { id, variables }, ...job }) => {
      const { From, To } = mailOf(job);
      const mail = { From, To, TemplateAlias: id, TemplateModel: variables };
      return [(await client.sendEmailWithTemplate(mail)).MessageID];
    },
    failure: ({ name, statusCode, code, message }) => ({ type: name, status: statusCode, code, message }),
  },
};
