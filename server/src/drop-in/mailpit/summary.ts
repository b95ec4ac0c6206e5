import type { Head } from '../../inbox/mailbox/mailbox.js';
import { mailpitAddress, withoutBrackets } from '../../inbox/mailbox/mailbox.js';
import { type EmailPlace, idOf } from '../ids.js';

/** A snippet that is so long may go on (Mailpit's have up to 250 characters). */
const WHOLE_TEXT_CHARS = 200;

/** A message as Mailpit's lists show it, with its code and link. `email` stands for it. */
export function mailpitSummary(email: EmailPlace, head: Head, isRead: boolean) {
  const text = head.text.replace(/\s+/g, ' ').trim();
  return {
    ID: idOf(email),
    MessageID: withoutBrackets(head.id),
    Read: isRead,
    From: mailpitAddress(head.from),
    To: head.to.map(mailpitAddress),
    Cc: head.cc.map(mailpitAddress),
    Bcc: head.bcc.map(mailpitAddress),
    ReplyTo: head.replyTo.map(mailpitAddress),
    Subject: head.subject,
    Created: new Date(email.receivedAt).toISOString(),
    Username: '',
    Tags: [],
    Size: head.size,
    Attachments: head.attachments,
    Snippet: head.text.length >= WHOLE_TEXT_CHARS ? `${text}...` : text,
    OTP: head.otp,
    MagicLink: head.magicLink,
  };
}
