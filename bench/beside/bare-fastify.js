// A bare Fastify that answers every request with `bytes` bytes. Reports its `{ port }` to the parent process.
import { createRequire } from 'node:module';

const fastify = createRequire(import.meta.resolve('../../packages/server/package.json'))('fastify');
const { bytes } = JSON.parse(process.argv[2]);
const answer = Buffer.alloc(bytes, 'a');
const app = fastify();

process.on('disconnect', () => process.exit());
app.get('/*', (_request, reply) => reply.type('application/json; charset=utf-8').send(answer));
await app.listen({ host: '127.0.0.1', port: 0 });
process.send({ port: app.server.address().port });
