const KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓', 'the email above, below'],
  ['Page up, down', 'a page of the list further'],
  ['Home, End', 'the newest, the oldest email'],
  ['c', 'copies the code'],
  ['o', 'opens the link in a tab of its own'],
  ['/', 'filters the list'],
  ['Esc', 'back to the list'],
  ['?', 'this help'],
];

/** What the keys do. */
export function KeyHelp() {
  return (
    <dl class="key-help">
      {KEYS.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
