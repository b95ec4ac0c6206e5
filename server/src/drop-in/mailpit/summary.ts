import type { Head } from '../../inbox/mailbox/mailbox.js';
import { mailpitAddress, withoutBrackets } from '../../inbox/mailbox/mailbox.js';
import { TEXT_CHARS } from '../../inbox/summary.js';
import { type EmailPlace, idOf } from '../ids.js';

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
    // Mailpit's have up to 250 characters. Of one that is as long as is kept, nobody knows here whether it goes on.
    Snippet: head.text.length >= TEXT_CHARS ? `${text}...` : text,
    OTP: head.otp,
    MagicLink: head.magicLink,
  };
}
