import { refuse } from './problem.js';

/** Of a form: no mail needs more, and each takes some hundred bytes of memory. */
export const MAX_FIELDS = 10_000;

/** The fields of a form, `application/x-www-form-urlencoded`. Throws `malformed` if there are too many. */
export function formIn(body: Buffer): URLSearchParams {
  let count = 0;
  for (let at = body.indexOf('&'); at >= 0; at = body.indexOf('&', at + 1)) {
    count += 1;
    if (count > MAX_FIELDS) refuse('malformed', { detail: `A form may have ${MAX_FIELDS} fields.` });
  }
  return new URLSearchParams(body.toString());
}
