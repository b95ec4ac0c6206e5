// Runs in the network of a container: sends a mail to its SMTP port and prints what an inbox holds then. The addresses are not those
// of loopback alone, since nothing from outside would reach these.
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
