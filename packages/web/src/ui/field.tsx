import type { InputHTMLAttributes } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { changeApiKey, credentials, isApiKey } from '../credentials.js';
import { Button } from './button.js';

interface FieldProps extends Pick<InputHTMLAttributes, 'type' | 'autocomplete' | 'placeholder' | 'defaultValue'> {
  readonly label: string;
  readonly action: string;
  readonly isBusy?: boolean;
  readonly hint?: string;
  /** Replaces the hint. */
  readonly problem: string;
  readonly isInvalid?: boolean;
  onEnter(written: string): void;
}

export function Field({ label, action, isBusy = false, hint = '', problem, isInvalid, onEnter, ...input }: FieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const submit = (event: Event) => {
    event.preventDefault();
    onEnter(field.current?.value.trim() ?? '');
  };
  const isHint = hint !== '' && problem === '';
  return (
    <form class="field stack gap-6 text-15" onSubmit={submit} noValidate>
      <label for={id}>{label}</label>
      <span class="flow">
        <input
          ref={field}
          id={id}
          autocapitalize="off"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={isInvalid ?? problem !== ''}
          aria-describedby={`${id}-hint`}
          {...(input as object)}
        />
        <Button type="submit" text={action} disabled={isBusy} />
      </span>
      <span id={`${id}-hint`} class={isHint ? 'hint' : 'problem'} role={isHint ? undefined : 'alert'}>
        {problem || hint}
      </span>
    </form>
  );
}

interface CredentialFormProps extends Omit<FieldProps, 'problem'> {
  isValid(written: string): boolean;
  readonly rule: string;
}

export function CredentialForm({ hint = '', isValid, rule, onEnter, ...rest }: CredentialFormProps) {
  const [problem, setProblem] = useState('');
  return (
    <Field
      type="password"
      hint={`Kept only in this tab, until you close it. ${hint}`}
      problem={problem}
      onEnter={(written) => (isValid(written) ? onEnter(written) : setProblem(rule))}
      {...rest}
    />
  );
}

export function ApiKeyForm() {
  return (
    <CredentialForm
      label="API key of your workspace, or its credentials (USER:PASSWORD)"
      placeholder="NAME=KEY or USER:PASSWORD"
      defaultValue={credentials.written}
      action="Use this key"
      hint="Leave it empty to use no key."
      isValid={isApiKey}
      rule="Enter NAME=KEY, as in the --workspace setting, or the USER:PASSWORD of your application's SMTP login."
      onEnter={changeApiKey}
    />
  );
}
