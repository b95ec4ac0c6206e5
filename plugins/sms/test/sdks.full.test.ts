import { describeSdks } from './sdk-tests.js';

const OF_TWILIO = ['twilio', 'twilio delete'];

describeSdks('Node', [...OF_TWILIO, 'vonage sms', 'vonage messages', 'sns', 'sms-voice', 'plivo']);
describeSdks('Python', [...OF_TWILIO, 'sns', 'sms-voice', 'messagebird', 'plivo']);
describeSdks('Go', [...OF_TWILIO, 'sns', 'sms-voice']);
