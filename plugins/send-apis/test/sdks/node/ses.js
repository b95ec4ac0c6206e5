import * as v1 from '@aws-sdk/client-ses';
import * as v2 from '@aws-sdk/client-sesv2';
import nodemailer from 'nodemailer';

// Endpoint, region and credentials come from the environment.
const ses = new v1.SESClient();
const sesv2 = new v2.SESv2Client();
const transport = nodemailer.createTransport({ SES: { sesClient: sesv2, SendEmailCommand: v2.SendEmailCommand } });

/** SES accepts names in encoded words (RFC 2047). */
const encoded = ({ name, email }) =>
  name === '' ? email : `=?utf-8?B?${Buffer.from(name).toString('base64')}?= <${email}>`;

const senderOf = ({ from }) => (from === null ? undefined : encoded(from));

const destinationOf = ({ to, cc, bcc }) => ({
  ToAddresses: to.map(encoded),
  CcAddresses: cc,
  BccAddresses: bcc,
});

const bodyOf = ({ text, html }) => ({
  ...(text !== '' && { Text: { Data: text } }),
  ...(html !== '' && { Html: { Data: html } }),
});

const failure = ({ name, message, $metadata }) => ({
  type: name,
  status: $metadata.httpStatusCode,
  code: null,
  message,
});

const send1 = async (command) => [(await ses.send(command)).MessageId];
const send2 = async (input) => [(await sesv2.send(new v2.SendEmailCommand(input))).MessageId];

const attachmentsOf = ({ files }) =>
  files.map(({ name, type, content, cid }) => ({
    FileName: name,
    ContentType: type,
    RawContent: Buffer.from(content, 'base64'),
    ...(cid !== null && { ContentDisposition: 'INLINE', ContentId: cid }),
  }));

export const calls = {
  '@aws-sdk/client-ses': {
    send: (job) => {
      const Message = { Subject: { Data: job.subject }, Body: bodyOf(job) };
      return send1(new v1.SendEmailCommand({ Source: senderOf(job), Destination: destinationOf(job), Message }));
    },
    raw: ({ raw }) => send1(new v1.SendRawEmailCommand({ RawMessage: { Data: Buffer.from(raw, 'base64') } })),
    batch: async ({ each, template, ...job }) => {
      const { Status } = await ses.send(
        new v1.SendBulkTemplatedEmailCommand({
          Source: senderOf(job),
          Template: template.id,
          DefaultTemplateData: '{}',
          Destinations: each.map(({ email, code }) => ({
            Destination: { ToAddresses: [email] },
            ReplacementTemplateData: JSON.stringify({ code }),
          })),
        }),
      );
      return Status.map(({ MessageId }) => MessageId);
    },
    template: ({ template: { id, variables }, ...job }) =>
      send1(
        new v1.SendTemplatedEmailCommand({
          Source: senderOf(job),
          Destination: destinationOf(job),
          Template: id,
          TemplateData: JSON.stringify(variables),
        }),
      ),
    failure,
  },
  '@aws-sdk/client-sesv2': {
    send: (job) =>
      send2({
        FromEmailAddress: senderOf(job),
        Destination: destinationOf(job),
        Content: { Simple: { Subject: { Data: job.subject }, Body: bodyOf(job), Attachments: attachmentsOf(job) } },
      }),
    raw: ({ raw }) => send2({ Content: { Raw: { Data: Buffer.from(raw, 'base64') } } }),
    batch: async ({ each, template, ...job }) => {
      const { BulkEmailEntryResults } = await sesv2.send(
        new v2.SendBulkEmailCommand({
          FromEmailAddress: senderOf(job),
          DefaultContent: { Template: { TemplateName: template.id, TemplateData: '{}' } },
          BulkEmailEntries: each.map(({ email, code }) => ({
            Destination: { ToAddresses: [email] },
            ReplacementEmailContent: {
              ReplacementTemplate: { ReplacementTemplateData: JSON.stringify({ code }) },
            },
          })),
        }),
      );
      return BulkEmailEntryResults.map(({ MessageId }) => MessageId);
    },
    template: ({ template: { id, variables }, ...job }) =>
      send2({
        FromEmailAddress: senderOf(job),
        Destination: destinationOf(job),
        Content: { Template: { TemplateName: id, TemplateData: JSON.stringify(variables) } },
      }),
    failure,
  },
  nodemailer: {
    send: async ({ from, to, files, ...job }) => {
      const person = ({ name, email }) => ({ name, address: email });
      const attachments = files.map(({ name, type, content, cid }) => ({
        filename: name,
        contentType: type,
        content: Buffer.from(content, 'base64'),
        ...(cid !== null && { cid }),
      }));
      const sender = from === null ? '' : person(from);
      const { messageId } = await transport.sendMail({ ...job, from: sender, to: to.map(person), attachments });
      return [messageId];
    },
    failure,
  },
};
