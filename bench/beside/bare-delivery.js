// Measures a lower bound: plain node:net and node:http exchange the same packets, but parse and store nothing.
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';

process.on('disconnect', () => process.exit());
const { code } = JSON.parse(process.argv[2]);

const HOST = '127.0.0.1';
const OK = '250 2.0.0 OK\r\n';
const END = Buffer.from('\r\n.\r\n');

const streams = new Map();

const http = createHttpServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': connected\n\n');
  streams.set(request.url, response);
});

const smtp = createServer({ noDelay: true }, (socket) => {
  let pieces = null;
  let inbox = '';
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    if (pieces === null) {
      const text = bytes.latin1Slice();
      inbox = /RCPT TO:<([^@]+)/.exec(text)?.[1] ?? inbox;
      if (text.endsWith('DATA\r\n')) pieces = [];
      socket.write(pieces === null ? OK : `${OK}${OK}354 Go on\r\n`);
      return;
    }
    pieces.push(bytes);
    const mail = Buffer.concat(pieces);
    if (!mail.subarray(-END.length).equals(END)) return;
    pieces = null;
    const path = `/api/inbox/${inbox}/stream`;
    streams.get(path)?.end(`data: ${JSON.stringify({ otp: code, rawBody: mail.toString() })}\n\n`);
    streams.delete(path);
    socket.write(OK);
  });
  socket.write('220 bare\r\n');
});

http.listen(0, HOST, () => {
  smtp.listen(0, HOST, () => {
    process.send({ host: HOST, smtpPort: smtp.address().port, httpPort: http.address().port });
  });
});
