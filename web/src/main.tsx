import { render } from 'preact';
import { AllPage } from './all/all-page.js';
import { HomePage } from './home/home-page.js';
import { InboxPage } from './inbox/inbox-page.js';
import { inboxNamed } from './service.js';
import './style.css';
import { LiveRegion } from './ui/announce.js';
import { Mark } from './ui/icon.js';

/** What the address asks for: the start page, or an inbox. */
function Page() {
  const [, name] = /^\/inbox\/([^/]*)$/.exec(location.pathname) ?? [];
  if (location.pathname === '/') return <HomePage />;
  if (location.pathname === '/all') return <AllPage lost={<Lost />} />;
  if (name === undefined) return <Lost />;
  try {
    return <InboxPage name={inboxNamed(decodeURIComponent(name))} />;
  } catch (error) {
    return <BadName problem={(error as Error).message} />;
  }
}

function Lost() {
  return (
    <main class="notice">
      <Mark />
      <h1>Page not found</h1>
      <p>Inboxes are at /inbox/NAME.</p>
      <a class="button button-main" href="/">
        Go to the start page
      </a>
    </main>
  );
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
