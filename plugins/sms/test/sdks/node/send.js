// Runs jobs with each provider's SDK for Node (../../sdks.full.test.ts): reads a JSON list of jobs, writes a list of results.
import { text } from 'node:stream/consumers';
import { PinpointSMSVoiceV2Client, SendTextMessageCommand } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { Auth } from '@vonage/auth';
import { Channels } from '@vonage/messages';
import { Vonage } from '@vonage/server-sdk';
import plivo from 'plivo';
import twilio from 'twilio';

class LocalClient extends twilio.RequestClient {
  request(options) {
    return super.request({
      ...options,
      uri: options.uri.replace('https://api.twilio.com', process.env.TWILIO_BASE_URL),
    });
  }
}

const httpClient = process.env.TWILIO_BASE_URL ? new LocalClient() : undefined;
const { messages } = twilio('ACany', 'any', { httpClient });

const { VONAGE_BASE_URL: host } = process.env;
const vonage = new Vonage(new Auth({ apiKey: 'any', apiSecret: 'any' }), host && { restHost: host, apiHost: host });

const { PLIVO_BASE_URL: base } = process.env;
const plivoClient = new plivo.Client('MAany', 'any', base ? { url: `${base}/v1/Account/MAany` } : {});

const aws = { region: 'us-east-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' }, maxAttempts: 1 };
const snsClient = new SNSClient(aws);
const voiceClient = new PinpointSMSVoiceV2Client(aws);

const calls = {
  async twilio({ from, to, text: body }) {
    const { sid } = await messages.create({ from, to, body });
    const fetched = await messages(sid).fetch();
    const [listed] = await messages.list({ to, limit: 1 });
    return { ids: [sid], also: [fetched.body, listed.sid] };
  },
  async 'twilio delete'({ from, to, text: body }) {
    const { sid } = await messages.create({ from, to, body });
    return { ids: [], also: [await messages(sid).remove()] };
  },
  async 'vonage sms'({ from, to, text: body }) {
    const { messages: sent } = await vonage.sms.send({ from, to, text: body });
    return { ids: sent.map((one) => one.messageId ?? one['message-id']) };
  },
  async 'vonage messages'({ from, to, text: body }) {
    const sent = await vonage.messages.send({ from, to, text: body, messageType: 'text', channel: Channels.SMS });
    return { ids: [sent.messageUUID] };
  },
  async sns({ to, text: body }) {
    const { MessageId } = await snsClient.send(new PublishCommand({ PhoneNumber: to, Message: body }));
    return { ids: [MessageId] };
  },
  async 'sms-voice'({ to, text: body }) {
    const command = new SendTextMessageCommand({ DestinationPhoneNumber: to, MessageBody: body });
    return { ids: [(await voiceClient.send(command)).MessageId] };
  },
  async plivo({ from, to, text: body }) {
    const { messageUuid } = await plivoClient.messages.create({ src: from, dst: to, text: body });
    return { ids: messageUuid };
  },
};

const codes = {
  twilio: ({ code }) => code,
  'vonage sms': (error) => error.getFailedMessages()[0].status,
  'vonage messages': async ({ response }) => (response.bodyUsed ? response.status : (await response.json()).type),
  sns: ({ name, Error: { Code } = {} }) => Code ?? name,
  'sms-voice': ({ name }) => name,
  plivo: (error) => /"error":"([^"]+)"|: ([^\n]+)/.exec(String(error))?.slice(1).find(Boolean) ?? String(error),
};

const outcomes = [];
for (const job of JSON.parse(await text(process.stdin))) {
  const [sdk] = job.call.split(' delete');
  outcomes.push(await calls[job.call](job).catch(async (error) => ({ error: await codes[sdk](error) })));
}
process.stdout.write(JSON.stringify(outcomes));
