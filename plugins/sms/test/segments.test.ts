import { expect, test } from 'vitest';
import { segmentsOf } from '../src/segments.js';

test.each([
  ['a', 1],
  ['x'.repeat(160), 1],
  ['x'.repeat(161), 2],
  ['x'.repeat(306), 2],
  ['x'.repeat(307), 3],
  ['€'.repeat(80), 1],
  ['€'.repeat(81), 2],
  [`${'x'.repeat(152)}€${'x'.repeat(8)}`, 2],
  [`${'x'.repeat(152)}€${'x'.repeat(151)}`, 2],
  [`${'x'.repeat(152)}€${'x'.repeat(152)}`, 3],
  ['ж'.repeat(70), 1],
  ['ж'.repeat(71), 2],
  ['ж'.repeat(134), 2],
  ['ж'.repeat(135), 3],
  ['😀'.repeat(35), 1],
  ['😀'.repeat(36), 2],
  ['😀'.repeat(67), 3],
  [`${'x'.repeat(69)}”`, 1],
  [`${'x'.repeat(70)}”`, 2],
  ['\r\n@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ'.repeat(4), 1],
])('counts the segments of %j as GSM-7 and UCS-2 do', (text, segments) => {
  expect(segmentsOf(text)).toBe(segments);
});
