import { TEXT_CHARS } from '../../inbox/inboxes.js';
import type { Head } from '../../inbox/mailbox/mailbox.js';
import { mailpitAddress, withoutBrackets } from '../../inbox/mailbox/mailbox.js';
import { type EmailPlace, idOf } from '../ids.js';
import { tagsOf } from './tags.js';

export interface Known {
  readonly isRead: boolean;
  /** Empty where no name is known. */
  readonly username: string;
}

/** A message in Mailpit's lists, with code and link. `email` stands for it. */
export function mailpitSummary(email: EmailPlace, head: Head, { isRead, username }: Known) {
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
    Username: username,
    Tags: tagsOf(head),
    Size: head.size,
    Attachments: head.attachments,
    // Mailpit's have 250 characters. A text as long as is kept may go on.
    Snippet: head.text.length >= TEXT_CHARS ? `${text}...` : text,
    OTP: head.otp,
    MagicLink: head.magicLink,
  };
}
