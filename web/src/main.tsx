import { render } from 'preact';
import { HomePage } from './home/home-page.js';
import { InboxPage } from './inbox/inbox-page.js';
import { Service } from './service.js';
import './style.css';
import { LiveRegion } from './ui/announce.js';
import { Mark } from './ui/icon.js';

/** What the address asks for: one inbox, or none. */
function Page() {
  const [, name] = /^\/inbox\/([^/]*)$/.exec(location.pathname) ?? [];
  if (name === undefined) return <HomePage />;
  try {
    return <InboxPage name={new Service('').mayfly.inbox(decodeURIComponent(name)).name} />;
  } catch (error) {
    return <BadName problem={(error as Error).message} />;
  }
}

function BadName({ problem }: { problem: string }) {
  return (
    <main class="notice">
      <Mark />
      <h1>This is not an inbox name</h1>
      <p class="problem">{problem}</p>
      <a class="button button-main" href="/">
        Make a new address
      </a>
    </main>
  );
}

render(
  <>
    <Page />
    <LiveRegion />
  </>,
  document.body,
);
