import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** The records of a name: preference and host of each MX record, and addresses. */
export interface Records {
  readonly mx?: readonly (readonly [preference: number, host: string])[];
  readonly a?: readonly string[];
  /** Each address as eight groups. */
  readonly aaaa?: readonly string[];
}

export interface DnsServer {
  /** `ADDRESS:PORT`. */
  readonly address: string;
  close(): void;
}

const TYPES = { a: 1, mx: 15, aaaa: 28 } as const;

/** Starts a DNS server (RFC 1035) on loopback with only these names. If `zone` is null, the server never answers. */
export async function startDns(zone: Readonly<Record<string, Records>> | null): Promise<DnsServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    if (zone !== null) socket.send(answerTo(query, zone), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

function answerTo(query: Buffer, zone: Readonly<Record<string, Records>>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(12, at + 5);
  const type = query.readUInt16BE(at + 1);
  const known = zone[labels.join('.').toLowerCase()];
  const data = known === undefined ? [] : recordsOf(known, type);
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  // The flags of a response: recursion desired and available, and a name error if the name is unknown.
  head.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 6);
  return Buffer.concat([head, question, ...data.flatMap((one) => [resourceHead(type, one.length), one])]);
}

function recordsOf({ mx = [], a = [], aaaa = [] }: Records, type: number): Buffer[] {
  if (type === TYPES.aaaa) {
    return aaaa.map((address) =>
      Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      ),
    );
  }
  if (type === TYPES.a) return a.map((address) => Buffer.from(address.split('.').map(Number)));
  if (type !== TYPES.mx) return [];
  return mx.map(([preference, host]) =>
    Buffer.concat([Buffer.from([preference >> 8, preference & 255]), nameOf(host)]),
  );
}

/** Returns the header of a resource record whose name points to the question's name. */
function resourceHead(type: number, length: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(length, 10);
  return head;
}

function nameOf(host: string): Buffer {
  const labels = host === '' ? [] : host.split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.from([0]),
  ]);
}
