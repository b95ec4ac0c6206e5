/** The forms for the address and for the phone number. */
export function signUpPage(error) {
  return layout(`
    <form method="post" action="/sign-up">
      <label>Email <input name="email" type="email" required autofocus></label>
      <button>Sign up</button>
    </form>
    <form method="post" action="/sign-up">
      <label>Phone <input name="phone" type="tel" required></label>
      <button>Text me a code</button>
    </form>
    ${errorText(error)}`);
}

/** The form for the code. */
export function codePage(email, error) {
  return layout(`
    <p>${email.includes('@') ? 'We have sent you an email. Enter its code, or open its link.' : 'We have texted you a code.'}</p>
    <form method="post" action="/code">
      <input name="email" type="hidden" value="${escaped(email)}">
      <label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>
      <button>Confirm</button>
    </form>
    ${errorText(error)}`);
}

/** A page with one sentence. */
export function messagePage(message) {
  return layout(`<p>${escaped(message)}</p>`);
}

function errorText(error) {
  return error ? `<p role="alert">${escaped(error)}</p>` : '';
}

function layout(content) {
  return `<!doctype html><html lang="en"><title>Nimbus</title><h1>Nimbus</h1>${content}</html>`;
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]);
}
