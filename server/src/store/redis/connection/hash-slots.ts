/**
 * A cluster has 16,384 slots; a key is in the slot of its hash tag (cluster specification, "Key distribution model").
 */

const SLOTS = 16_384;

/** Shards of a cluster's inboxes. Fixed while there is mail, which could no longer be found. */
export const CLUSTER_SHARDS = 256;

/** The generator of CRC-16/XMODEM, which determines slots. */
const CRC_POLYNOMIAL = 0x1021;

const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ CRC_POLYNOMIAL : crc << 1;
  return crc;
});

function crc16(text: string): number {
  let crc = 0;
  for (const byte of Buffer.from(text)) crc = ((crc << 8) ^ (CRC_TABLE[(crc >> 8) ^ byte] as number)) & 0xffff;
  return crc;
}

export function slotOf(tag: string): number {
  return crc16(tag) % SLOTS;
}

/** One hash tag per shard, each in its own share of the slots, so that masters have about as many shards each. */
export function shardTags(): string[] {
  const tags = new Map<number, string>();
  for (let number = 0; tags.size < CLUSTER_SHARDS; number += 1) {
    const share = Math.floor(slotOf(`${number}`) / (SLOTS / CLUSTER_SHARDS));
    if (!tags.has(share)) tags.set(share, `${number}`);
  }
  return Array.from({ length: CLUSTER_SHARDS }, (_, share) => tags.get(share) as string);
}

export function shardNumber(inbox: string, shards: number): number {
  return crc16(inbox) % shards;
}
