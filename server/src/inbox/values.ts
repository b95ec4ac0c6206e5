/**
 * Values as they are kept: each as its number (a byte), its length (32 bits, little-endian) and its JSON in UTF-8. A value that a
 * reader does not know is passed over, and one that is not there reads as null: so values can be added. A number is never given
 * to another value.
 */

/** The number that each kind of value has. */
export type ValueNumbers<Name extends string> = readonly (readonly [name: Name, number: number])[];

const VALUE_HEAD_BYTES = 5;

const NULL = Buffer.from('null');

/** The bytes of some values, behind so many bytes whose contents are the caller's to write. */
export function writeValues<Name extends string>(
  numbers: ValueNumbers<Name>,
  values: Readonly<Record<Name, unknown>>,
  headBytes: number,
): Buffer {
  const texts = numbers.map(([name, number]) => {
    const json = JSON.stringify(values[name]);
    return { number, json, bytes: Buffer.byteLength(json) };
  });
  const written = Buffer.allocUnsafe(texts.reduce((sum, { bytes }) => sum + VALUE_HEAD_BYTES + bytes, headBytes));
  let at = headBytes;
  for (const { number, json, bytes } of texts) {
    written[at] = number;
    written.writeUInt32LE(bytes, at + 1);
    written.write(json, at + VALUE_HEAD_BYTES);
    at += VALUE_HEAD_BYTES + bytes;
  }
  return written;
}

/** The JSON of each value by its number, in UTF-8: views of the bytes, which hold nothing else. */
export function readValues(bytes: Buffer): (number: number) => Buffer {
  const values = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const start = at + VALUE_HEAD_BYTES;
    const end = start + bytes.readUInt32LE(at + 1);
    values.set(bytes.readUInt8(at), bytes.subarray(start, end));
    at = end;
  }
  return (number) => values.get(number) ?? NULL;
}
