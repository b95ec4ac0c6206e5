// A bare node:http server of event streams that never end. Says its `{ port }`.
import http from 'node:http';

process.on('disconnect', () => process.exit());
const server = http.createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': connected\n\n');
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', 4_096, () => process.send({ port: server.address().port }));
