/** 32 words each, so that five random bits choose one. Short, friendly, lower-case ASCII. */
export const ADJECTIVES =
  'amber brave brisk calm clear cosy crisp eager early fair fresh gentle glad golden happy honest jolly keen kind light lucky merry mild neat noble proud quick quiet sunny swift warm wise';
export const ANIMALS =
  'badger beaver bison crane deer dove eagle falcon finch fox gecko hare heron ibis koala lark lemur lynx moth newt otter owl panda plover puffin robin seal stork swan tapir wren zebra';
