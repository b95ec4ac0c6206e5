// An application with a magic link. The variants differ only in what the link does on GET.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const FORM = '<form method="post"><button>Sign in</button></form>';

/** The link shows a page whose button signs in. It survives all scanners. */
export const click = (request, token, app) =>
  request.method === 'POST' ? app.signIn(token) : app.isValid(token) ? page(FORM) : app.gone();

/** Opening the link signs in, even by HEAD, which many frameworks treat like GET. The first scanner uses it up. */
export const atOnce = (_, token, app) => app.signIn(token);

/** A script submits the page's form. The link survives scanners that only fetch it, but not those that run scripts. */
export const script = (request, token, app) => {
  const answer = click(request, token, app);
  return request.method === 'POST'
    ? answer
    : { ...answer, body: `${answer.body}<script>document.forms[0]?.submit()</script>` };
};

/** Starts the application; `mail` sends its emails. */
export async function startApp(linkDoes, mail) {
  const tokens = new Map();
  const app = {
    isValid: (token) => tokens.has(token),
    gone: () => ({ ...page('<p>This link is no longer valid.</p>'), status: 410 }),
    signIn(token) {
      const email = tokens.get(token);
      if (!tokens.delete(token)) return app.gone();
      const cookie = `session=${randomBytes(16).toString('hex')}; HttpOnly; SameSite=Lax; Path=/`;
      return { ...page(`<p>Welcome, ${email}</p>`), headers: { 'content-type': 'text/html', 'set-cookie': cookie } };
    },
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://app');
    const answer = pathname === '/verify' ? linkDoes(request, searchParams.get('token'), app) : page('');
    response.writeHead(pathname === '/verify' ? answer.status : 404, answer.headers).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    async sendLink(to) {
      const token = randomBytes(16).toString('hex');
      tokens.set(token, to);
      const html = `<p>Hello!</p><p><a href="${url}/verify?token=${token}">Sign in</a></p>`;
      await mail.sendMail({ from: 'app@example.test', to, subject: 'Sign in', html });
    },
    stop: () => server.close(),
  };
}

function page(body) {
  return { status: 200, headers: { 'content-type': 'text/html' }, body };
}
