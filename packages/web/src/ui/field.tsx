import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { changeApiKey, credentials } from '../credentials.js';
import { MAX_LENGTH } from '../url.js';
import { Button } from './button.js';

interface FieldProps extends Pick<InputHTMLAttributes, 'type' | 'autocomplete' | 'placeholder' | 'defaultValue'> {
  readonly label: string;
  readonly action: string;
  readonly hint?: string;
  /** Throws an error to show its message instead of the hint. */
  onEnter(written: string): void | Promise<void>;
}

export function Field({ label, action, hint = '', onEnter, ...input }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const submit = async (event: Event) => {
    event.preventDefault();
    setProblem('');
    try {
      const entered = onEnter(field.current?.value.trim() ?? '');
      setBusy(entered !== undefined);
      await entered;
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  return (
    <form class="field stack gap-8 text-15" onSubmit={submit} noValidate>
      <label class="medium" for={id}>
        {label}
      </label>
      <span class="flow">
        <input
          ref={field}
          id={id}
          autocapitalize="off"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-hint`}
          {...(input as object)}
        />
        <Button type="submit" text={action} disabled={isBusy} />
      </span>
      <span id={`${id}-hint`} class={problem === '' ? 'hint' : 'problem'} role={problem === '' ? undefined : 'alert'}>
        {problem || hint}
      </span>
    </form>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** The words, which are in the URL. */
  readonly words: string;
  onWords(words: string): void;
}

/** A search above a list. The key / focuses it, and Escape leaves it. */
export function SearchField({ label, placeholder, words, onWords }: SearchFieldProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maxLength={MAX_LENGTH}
      value={words}
      onInput={({ currentTarget }) => onWords(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
    />
  );
}

/** The count above a list. `isRead` says whether a screen reader reads its changes aloud. */
export function SearchCount({ isRead, children }: { isRead: boolean; children: ComponentChildren }) {
  return (
    <span class="search-count soft text-14 digits" aria-live={isRead ? 'polite' : 'off'}>
      {children}
    </span>
  );
}

export function CredentialForm({ hint = '', ...rest }: FieldProps) {
  return <Field type="password" hint={`Kept only in this tab, until you close it. ${hint}`} {...rest} />;
}

export function ApiKeyForm() {
  return (
    <CredentialForm
      label="API key of your workspace, or its credentials (USER:PASSWORD)"
      placeholder="NAME=KEY or USER:PASSWORD"
      defaultValue={credentials.written}
      action="Use this key"
      hint="Leave it empty to use no key."
      onEnter={changeApiKey}
    />
  );
}
