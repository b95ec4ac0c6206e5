import { type ComponentChildren, render } from 'preact';
import { AllPage } from './all/all-page.js';
import { takeSecret } from './credentials.js';
import { HomePage } from './home/home-page.js';
import { InboxPage } from './inbox/inbox-page.js';
import { inboxNamed } from './service.js';
import './style.css';
import { LiveRegion } from './ui/announce.js';
import { Mark } from './ui/icon.js';
import { LaterRun } from './ui/later.js';

function Page() {
  const [, name] = /^\/inbox\/([^/]*)$/.exec(location.pathname) ?? [];
  const [, run] = /^\/run\/([a-z2-7]{26})$/.exec(location.pathname) ?? [];
  if (location.pathname === '/') return <HomePage />;
  if (run !== undefined) return <LaterRun secret={run} />;
  if (location.pathname === '/all') return <AllPage lost={<Lost />} />;
  if (name === undefined) return <Lost />;
  try {
    const inbox = inboxNamed(decodeURIComponent(name));
    takeSecret(inbox);
    return <InboxPage name={inbox} />;
  } catch (error) {
    return (
      <Notice title="This is not an inbox name" link="Make a new address">
        <p class="problem">{(error as Error).message}</p>
      </Notice>
    );
  }
}

function Lost() {
  return (
    <Notice title="Page not found" link="Go to the start page">
      <p>Inboxes are at /inbox/NAME, runs of tests at /run/SECRET.</p>
    </Notice>
  );
}

function Notice({ title, link, children }: { title: string; link: string; children: ComponentChildren }) {
  return (
    <main class="notice stack">
      <Mark />
      <h1>{title}</h1>
      {children}
      <a class="button button-main" href="/">
        {link}
      </a>
    </main>
  );
}

let visits = 0;

function show(): void {
  visits += 1;
  render(
    <>
      <Page key={visits} />
      <LiveRegion />
    </>,
    document.body,
  );
}

addEventListener('restart', show);
show();
