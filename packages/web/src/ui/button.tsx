import type { ButtonHTMLAttributes, ComponentChild, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { toast } from './announce.js';
import { Icon, type IconName } from './icon.js';
import { later, useUntil } from './until.js';

const COPIED_MS = 1_500;

interface ButtonProps extends ButtonHTMLAttributes {
  readonly class?: string;
  readonly icon?: IconName | undefined;
  readonly text?: string;
}

export function Button({ class: style = '', icon, text, children, ...rest }: ButtonProps) {
  return (
    <button type="button" class={`button ${style}`} {...rest}>
      {icon && <Icon name={icon} />}
      {text && <span>{text}</span>}
      {children}
    </button>
  );
}

export function Switch({ label, isOn, onTurn }: { label: string; isOn: boolean; onTurn(isOn: boolean): void }) {
  return (
    <label class="switch bar text-15">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => {
          // Only the owner of the state decides whether it changes.
          currentTarget.checked = isOn;
          onTurn(!isOn);
        }}
      />
      {label}
    </label>
  );
}

interface ChoiceProps<T> {
  readonly legend: string;
  readonly options: readonly T[];
  readonly shown: T;
  labelOf?(option: T): ComponentChild;
  onChoose(option: T): void;
}

/** Radio buttons in a row. */
export function Choice<T>({ legend, options, shown, labelOf = String, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{legend}</legend>
      {options.map((one) => (
        <label key={one}>
          <input type="radio" class="unseen" name={legend} checked={one === shown} onChange={() => onChoose(one)} />
          {labelOf(one)}
        </label>
      ))}
    </fieldset>
  );
}

interface CopyButtonProps {
  readonly text: string;
  /** The end of the label "Copy …". */
  readonly what: string;
  readonly class?: string;
  readonly tabIndex?: number;
  /** Replaces the words next to the icon. */
  readonly children?: ComponentChildren;
}

export function CopyButton({ text, what, class: style = 'button', tabIndex = 0, children }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useUntil([isCopied], (signal) => isCopied && later(COPIED_MS, signal, () => setCopied(false)));
  const copy = async () => {
    try {
      await copyText(text);
      toast(`Copied ${what}.`);
      setCopied(true);
    } catch (error) {
      toast((error as Error).message);
    }
  };
  return (
    <button
      type="button"
      class={style}
      data-copied={isCopied}
      aria-label={`${isCopied ? 'Copied' : 'Copy'} ${what}`}
      onClick={copy}
      tabIndex={tabIndex}
    >
      {children ?? (isCopied ? 'Copied' : 'Copy')}
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  );
}

/** Rejects if the browser denies access to the clipboard. */
async function copyText(text: string): Promise<void> {
  // Pages from another machine over plain HTTP have no clipboard API.
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.className = 'unseen';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('The browser does not let this page use the clipboard.');
}
