/**
 * Where things stand in a cluster. Redis has 16,384 slots, each with one of its masters, and puts a key into the slot of its hash tag
 * (Redis cluster specification, "Key distribution model").
 */

const SLOTS = 16_384;

/** Over how many buckets a cluster's inboxes are spread. It cannot be changed while there is mail: that would no longer be found. */
export const CLUSTER_BUCKETS = 256;

/** The generator of CRC-16/XMODEM, by which Redis reckons slots. */
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

/** The slot of all keys with this hash tag. */
export function slotOf(tag: string): number {
  return crc16(tag) % SLOTS;
}

/** A hash tag for each bucket: that of a bucket lies in its own share of the slots, so that any masters have about as many buckets. */
export function bucketTags(): string[] {
  const tags = new Map<number, string>();
  for (let number = 0; tags.size < CLUSTER_BUCKETS; number += 1) {
    const share = Math.floor(slotOf(`${number}`) / (SLOTS / CLUSTER_BUCKETS));
    if (!tags.has(share)) tags.set(share, `${number}`);
  }
  return Array.from({ length: CLUSTER_BUCKETS }, (_, share) => tags.get(share) as string);
}

/** Which of so many buckets has an inbox. */
export function bucketNumber(inbox: string, buckets: number): number {
  return crc16(inbox) % buckets;
}
