import { type ComponentChildren, render } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { secretOf, takeSecret } from './credentials.js';
import { AllPage, InboxPage } from './inbox/mail-page.js';
import { RunPage } from './run/run-page.js';
import { inboxNamed } from './service.js';
import { Settings, usePageSettings } from './settings.js';
import './style.css';
import { announce, LiveRegion } from './ui/announce.js';
import { Button } from './ui/button.js';
import { Toolbar } from './ui/toolbar.js';
import { change, useUrl } from './url.js';

function Page({ path }: { path: string }) {
  const [, name] = /^\/inbox\/([^/]*)$/.exec(path) ?? [];
  const [, run] = /^\/run\/([a-z2-7]{26})$/.exec(path) ?? [];
  if (run !== undefined) return <RunPage secret={run} />;
  if (path.startsWith('/run/'))
    return (
      <Notice title="This is not the secret of a run" link="Go to the start page">
        <p>A secret has 26 characters of a-z and 2-7. Open the whole link that the test run has printed.</p>
      </Notice>
    );
  if (path === '/') return <AllPage />;
  if (path === '/all') return <AllPage lost={<Lost />} />;
  return name === undefined ? <Lost /> : <Inbox written={name} />;
}

function Inbox({ written }: { written: string }) {
  const { fragment } = useUrl();
  try {
    const name = inboxNamed(decodeURIComponent(written));
    const rest = takeSecret(name, fragment);
    if (rest !== fragment) change({ fragment: rest });
    // A new secret opens the inbox anew.
    return <InboxPage key={secretOf(name) ?? ''} name={name} />;
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
  useEffect(() => {
    document.title = `${title} – Mayfly`;
  }, [title]);
  return (
    <div class="inbox">
      <Toolbar />
      <main class="notice stack">
        <h1>{title}</h1>
        {children}
        <a class="button button-main" href="/">
          {link}
        </a>
      </main>
    </div>
  );
}

/** Shown instead of a page that cannot be rendered. Without the toolbar, which may be why. */
function Failed() {
  return (
    <main class="notice stack">
      <h1>This page has failed</h1>
      <p role="alert">The server may not be Mayfly, or may have another version.</p>
      <Button class="button-main" text="Reload the page" onClick={() => location.reload()} />
    </main>
  );
}

function Root({ restarts }: { restarts: number }) {
  const { path } = useUrl();
  const [error] = useErrorBoundary();
  const page = `${restarts} ${path}`;
  const before = useRef(path);
  useEffect(() => {
    // A new document would be announced by the browser.
    if (before.current !== path) requestAnimationFrame(() => announce(document.title));
    before.current = path;
  }, [path]);
  if (error) return <Failed />;
  return (
    <>
      <Settings.Provider value={usePageSettings(page)}>
        <Page key={page} path={path} />
      </Settings.Provider>
      <LiveRegion />
    </>
  );
}

let restarts = 0;

function show(): void {
  render(<Root restarts={restarts} />, document.body);
  restarts += 1;
}

addEventListener('restart', show);
show();
