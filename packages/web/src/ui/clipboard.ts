/** Puts a text into the clipboard. Rejects when the browser does not let it. */
export async function copyText(text: string): Promise<void> {
  // Browsers have no clipboard for pages that come over plain HTTP from another machine.
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
