/**
 * 16 words each, so that four random bits choose one: to tell inboxes apart, their secret is not here. Short, friendly,
 * lower-case ASCII.
 */
export const ADJECTIVES = 'able bold calm clear cool fair fast fine glad good kind neat nice swift warm wise';
export const ANIMALS = 'ant ape bat bear bee cat cow crow deer dog duck fox goat hare hen otter';
