import { phoneNumber } from 'mayfly-protocol/inbox-name';
import type { Mayfly } from './wait/client.js';
import { MayflyOptionError } from './wait/errors.js';
import type { Inbox } from './wait/inbox.js';
import { checkOptions, oneOf } from './wait/settings.js';
import { shown } from './wait/text.js';

/** The inbox of a phone number, for text messages. Every method waits for texts as an inbox does for emails. */
export interface Phone extends Inbox {
  /** The number with its country code, such as `+12015550142`. */
  readonly number: string;
}

/**
 * Numbers that are reserved for fiction, so that no person has them: prefixes and the end, in which each `x` is a
 * digit. libphonenumber accepts all of them as valid numbers of their country (docs/sms.md).
 */
const RANGES = {
  US: [
    '201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 253 254 256 260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323 330 334 336 337 339 347 351 352 360 361 386 401 402 404 405 406 407 408 409 410 412 413 414 415 417 419 423 425 432 434 435 440 443 469 478 479 480',
    '+1',
    '55501xx',
  ],
  CA: ['204 250 306 403 416 418 450 506 514 519 604 613 647 705 709 780 819 867 902 905', '+1', '55501xx'],
  GB: ['0', '+44207946', 'xxx'],
  FR: ['00', '+33199', 'xxxx'],
  DE: ['00', '+49171392', 'xx'],
  SE: ['1 2 3 4 5 6 7 8 9', '+467017406', 'x'],
} as const;

export type PhoneCountry = keyof typeof RANGES;

export interface CreatePhoneOptions {
  /** Country of the number; `US` by default. */
  readonly country?: PhoneCountry | undefined;
}

/** Numbers that no call in this process got, by country. Ranges are small, so another process may create the same. */
const unused = new Map<PhoneCountry, string[]>();

/** A new phone number, which no other call in this process got unless the range is used up. */
export function createPhone(mayfly: Mayfly, options: CreatePhoneOptions = {}): Phone {
  checkOptions('createPhone', options, { country: oneOf(Object.keys(RANGES)) });
  const { country = 'US' } = options;
  const left = unused.get(country) ?? [];
  const numbers = left.length > 0 ? left : numbersOf(country);
  unused.set(country, numbers);
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const [number = ''] = numbers.splice(random % numbers.length, 1);
  return phone(mayfly, number);
}

function numbersOf(country: PhoneCountry): string[] {
  const [areas, code, end] = RANGES[country];
  const digits = end.split('x').length - 1;
  const ends = Array.from({ length: 10 ** digits }, (_, at) => end.replace(/x+/, `${at}`.padStart(digits, '0')));
  return areas.split(' ').flatMap((area) => ends.map((last) => code + area + last));
}

/** The phone with this number, in any notation with a country code. Throws `MayflyOptionError` for other texts. */
export function phone(mayfly: Mayfly, number: string): Phone {
  const text = String(number);
  const name = phoneNumber(text);
  if (name === null)
    throw new MayflyOptionError(`"${shown(text)}" is not a phone number. Use one such as +12015550142.`);
  return Object.assign(mayfly.inbox(name), { number: name, toString: () => name });
}
