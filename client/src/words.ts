/** 16 words each, so that four random bits choose one: to tell inboxes apart, their secret is not here. Short, friendly, lower-case ASCII. */
export const ADJECTIVES =
  'amber brave calm clear cosy eager fresh gentle golden happy kind lucky merry quiet swift wise';
export const ANIMALS = 'badger beaver crane deer finch fox gecko hare koala lark lynx otter owl panda robin seal';
