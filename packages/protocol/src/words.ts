/** 16 words each, so four random bits choose one. They make inboxes easy to tell apart; the secret follows them. */
export const ADJECTIVES = 'able bold calm clear cool fair fast fine glad good kind neat nice swift warm wise';
export const ANIMALS = 'ant ape bat bear bee cat cow crow deer dog duck fox goat hare hen otter';
