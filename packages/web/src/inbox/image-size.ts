/**
 * How many pixels an image has, read from its header; null where it is not a PNG, JPEG, GIF or WebP. A small file can
 * hold an image that takes gigabytes once it is decoded, so this is asked before a browser decodes it.
 */
export function pixelsOf(bytes: ArrayBuffer): number | null {
  const view = new DataView(bytes);
  try {
    if (view.getUint32(0) === PNG) return view.getUint32(16) * view.getUint32(20);
    if (view.getUint32(0) === GIF) return view.getUint16(6, true) * view.getUint16(8, true);
    if (view.getUint16(0) === JPEG) return pixelsOfJpeg(view);
    return view.getUint32(0) === RIFF && view.getUint32(8) === WEBP ? pixelsOfWebp(view) : null;
  } catch {
    // It is shorter than its header says.
    return null;
  }
}

/** What the formats begin with. */
const PNG = 0x89504e47;
const GIF = 0x47494638;
const JPEG = 0xffd8;
const RIFF = 0x52494646;
const WEBP = 0x57454250;

/** Markers of a frame header that are none (ITU-T T.81, table B.1): DHT, JPG and DAC. */
const NO_FRAME = [0xc4, 0xc8, 0xcc];

/** Goes from segment to segment to the frame header; each step is two bytes at least. */
function pixelsOfJpeg(view: DataView): number | null {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.includes(marker)) {
      return view.getUint16(at + 5) * view.getUint16(at + 7);
    }
  }
  return null;
}

/** Lossy, lossless and extended files have their sizes in places of their own (RFC 9649 section 2). */
function pixelsOfWebp(view: DataView): number | null {
  const uint24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  switch (view.getUint32(12)) {
    case 0x56503820:
      return (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff);
    case 0x5650384c: {
      const bits = view.getUint32(21, true);
      return ((bits & 0x3fff) + 1) * (((bits >> 14) & 0x3fff) + 1);
    }
    case 0x56503858:
      return (uint24(24) + 1) * (uint24(27) + 1);
    default:
      return null;
  }
}
