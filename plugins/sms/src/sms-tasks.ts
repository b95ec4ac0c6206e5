import { orderTasks } from 'mayfly-plugins-shared/sending/order-task';
import { smsVoiceText, snsText } from './aws.js';
import { messagebirdText } from './messagebird.js';
import { plivoText } from './plivo.js';
import { textTranslator } from './text.js';
import { twilioText } from './twilio.js';
import { vonageMessageText, vonageSmsText } from './vonage.js';

const SHAPES = {
  twilio: twilioText,
  'vonage sms': vonageSmsText,
  'vonage messages': vonageMessageText,
  sns: snsText,
  'sms-voice': smsVoiceText,
  messagebird: messagebirdText,
  plivo: plivoText,
};

export const TASKS = orderTasks({
  translators: Object.fromEntries(Object.entries(SHAPES).map(([name, shape]) => [name, textTranslator(shape)])),
});
