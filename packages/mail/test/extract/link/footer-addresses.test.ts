import { expect, test } from 'vitest';
import { addressOf } from '../../../src/extract/link/link-address.js';

test.each([
  ['unsubscribe', '/unsub?token=1'],
  ['unsubscribe', '/u/unsubscribed/token'],
  ['unsubscribe', '/optout/token'],
  ['unsubscribe', '/opt-out/token'],
  ['unsubscribe', '/list-unsubscribe?token=1'],
  ['unsubscribe', '/?do=opt_out&token=1'],
  ['unsubscribe', '/se-d%C3%A9sinscrire/desinscription?token=1'],
  ['unsubscribe', '/nyhetsbrev/avregistrera?token=1'],
  ['unsubscribe', '/baja?token=1'],
  ['preferences', '/email-settings?token=1'],
  ['preferences', '/email/preferences?token=1'],
  ['preferences', '/emailPreferences?token=1'],
  ['preferences', '/settings/notifications?token=1'],
  ['preferences', '/notifications/manage?token=1'],
  ['preferences', '/manage-subscription?token=1'],
  ['preferences', '/subscriptions/manage?token=1'],
  ['view-online', '/view-in-browser?token=1'],
  ['view-online', '/view_in_your_browser?token=1'],
  ['view-online', '/webversion?token=1'],
  ['view-online', '/newsletter/view?token=1'],
  ['report', '/report/spam?token=1'],
  ['report', '/abuse?token=1'],
  [null, '/verify?token=1'],
  [null, '/subscription/confirm?token=1'],
  [null, '/email/verify?token=1'],
  [null, '/settings/email/confirm?token=1'],
  [null, '/reset?redirect=/email-settings'],
  [null, '/newsletter/confirm?token=1'],
  [null, '/sunsub/verify?token=1'],
])('%s: %s', (kind, rest) => {
  expect(addressOf(`https://app.test${rest}`, false).footer).toBe(kind);
});
