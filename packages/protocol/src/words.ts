/** 16 words each, so that four random bits choose one. They tell inboxes apart; the secret follows them. */
export const ADJECTIVES = 'able bold calm clear cool fair fast fine glad good kind neat nice swift warm wise';
export const ANIMALS = 'ant ape bat bear bee cat cow crow deer dog duck fox goat hare hen otter';
