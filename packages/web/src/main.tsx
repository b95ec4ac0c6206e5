import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AllPage } from './all/all-page.js';
import { HomePage } from './home/home-page.js';
import { InboxPage } from './inbox/inbox-page.js';
import type { RunPage } from './run/run-page.js';
import { inboxNamed } from './service.js';
import './style.css';
import { LiveRegion } from './ui/announce.js';
import { Mark } from './ui/icon.js';

/** What the address asks for: the start page, an inbox, all mail, or a run of tests. */
function Page() {
  const [, name] = /^\/inbox\/([^/]*)$/.exec(location.pathname) ?? [];
  const [, run] = /^\/run\/([a-z2-7]{26})$/.exec(location.pathname) ?? [];
  if (location.pathname === '/') return <HomePage />;
  if (run !== undefined) return <Run secret={run} />;
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
      <p>Inboxes are at /inbox/NAME, runs of tests at /run/SECRET.</p>
      <a class="button button-main" href="/">
        Go to the start page
      </a>
    </main>
  );
}

/** Loads the page of a run, which those who read an inbox do not need. */
function Run({ secret }: { secret: string }) {
  const [page, setPage] = useState<{ readonly RunPage: typeof RunPage } | Error | null>(null);
  useEffect(() => {
    import('./run/run-page.js').then(setPage, setPage);
  }, []);
  if (page === null) return <p class="wait">Opening the run…</p>;
  if (page instanceof Error) return <p class="problem">The page could not be loaded. Reload it.</p>;
  return <page.RunPage secret={secret} />;
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
