import { expect, test } from 'vitest';
import { Peers } from '../../src/smtp/engine/peer.js';

const NOBODY = { trusted: [], proxies: { first: [], lazily: [] } };

test.each([
  ['an address and the same within IPv6', '127.0.0.1', '::ffff:127.0.0.1'],
  ['addresses of one network of IPv6', '2001:db8:1:2::3', '2001:db8:1:2:4:5:6:7'],
])('%s are one client', (_, one, other) => {
  const peers = new Peers(NOBODY, false);
  expect(peers.at(one).client).toBe(peers.at(other).client);
});

test.each([
  ['addresses', '127.0.0.1', '127.0.0.2'],
  ['networks of IPv6', '2001:db8:1:2::3', '2001:db8:1:3::3'],
])('other %s are another', (_, one, other) => {
  const peers = new Peers(NOBODY, false);
  expect(peers.at(one).client).not.toBe(peers.at(other).client);
  expect(peers.at(one).client).toBe(new Peers(NOBODY, false).at(one).client);
});
