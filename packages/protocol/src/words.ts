/** Each list has 16 words, so four random bits choose one. The words make names easy to tell apart, not secret. */
export const ADJECTIVES = 'able bold calm clear cool fair fast fine glad good kind neat nice swift warm wise';
export const ANIMALS = 'ant ape bat bear bee cat cow crow deer dog duck fox goat hare hen otter';
