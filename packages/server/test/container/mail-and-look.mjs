// Runs in the network of a container: sends a message to its SMTP port and prints the contents of an inbox. Uses
// 127.0.0.2, so that it fails if the service listens only on 127.0.0.1, which a published port does not reach.
import { createTransport } from 'nodemailer';

const [smtpPort, httpPort, to] = process.argv.slice(2);
const HOST = '127.0.0.2';

if (to.includes('@')) {
  await createTransport({ host: HOST, port: Number(smtpPort) }).sendMail({
    from: 'app@example.test',
    to,
    subject: 'Welcome',
    text: 'Your code is 482913',
  });
}
const answer = await fetch(`http://${HOST}:${httpPort}/api/inbox/${to}`);
process.stdout.write(await answer.text());
