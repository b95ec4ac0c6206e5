const KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓', 'the email above, below'],
  ['Page up, down', 'a page of the list further'],
  ['Home, End', 'the newest, the oldest email'],
  ['Enter, →', 'into the email'],
  ['Esc', 'back to the list'],
  ['1 to 9', 'the tabs of the email'],
  ['n', 'the newest email that you have not seen'],
  ['c', 'copies the code'],
  ['o', 'opens the link in a tab of its own'],
  ['Delete', 'deletes the email, or the selected ones'],
  ['x', 'selects the email'],
  ['z', 'undoes a deletion within 5 seconds'],
  ['/', 'searches'],
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
