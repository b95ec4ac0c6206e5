import { MayflyGoneError } from 'mayfly-client';
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { wordsFor } from '../problem-words.js';
import type { Service } from '../service.js';
import { announce } from '../ui/announce.js';
import { Dialog } from '../ui/dialog.js';
import type { Mail } from './mail.js';

interface DeleteDialogProps {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly service: Service;
  readonly inbox: string;
  readonly mail: Mail;
  onGone(): void;
}

/** Asks before one email is deleted. */
export function DeleteDialog({ dialog, service, inbox, mail, onGone }: DeleteDialogProps) {
  const [problem, setProblem] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      await service.inbox(inbox).delete(mail.key);
    } catch (error) {
      // Another user was faster.
      if (!(error instanceof MayflyGoneError)) return setProblem(wordsFor(error as Error));
    }
    dialog.current?.close();
    announce('The email was deleted.');
    onGone();
  };
  return (
    <Dialog dialog={dialog} title="Delete this email?">
      <form onSubmit={submit}>
        <p>It is deleted for everyone. A test that is waiting for it will not find it.</p>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="button button-danger">
          Delete this email
        </button>
      </form>
    </Dialog>
  );
}
