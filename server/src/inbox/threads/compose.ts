import { readMail } from '../../mail/read-mail.js';
import { type Composed, type Composition, composeFrom } from './composition.js';

/** Reads a message: all the work that a read will not have to do. */
export function compose(composition: Composition): Composed {
  return composeFrom(readMail(composition.raw), composition);
}
