const PATHS = {
  back: 'M15 5l-7 7 7 7',
  bell: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10.5 21h3',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  clip: 'M7 8v8a5 5 0 0 0 10 0V7a3.5 3.5 0 0 0-7 0v8a2 2 0 0 0 4 0V8',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  // An empty tray, because the bin means to delete a single email.
  empty: 'M4 13l2.5-8h11L20 13v6H4zM4 13h5a3 3 0 0 0 6 0h5',
  down: 'M6 9.5l6 6 6-6',
  download: 'M12 4v11m-4.5-4L12 15.5 16.5 11M5 20h14',
  key: 'M12 15.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM11 12.5L19.5 4M16 7.5l3 3',
  log: 'M8 6h12M8 12h12M8 18h12M3.5 6h.01M3.5 12h.01M3.5 18h.01',
  tick: 'M4 4h16v16H4zM8 12.5l3 3 5.5-6.5',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  new: 'M12 5v14M5 12h14',
  open: 'M14 5h5v5m0-5l-8 8M17 14v5H5V7h5',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  text: 'M4 5h16v11h-8l-5 4v-4H4z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon next to a text with the same meaning, so screen readers skip the icon. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function HomeLink() {
  return (
    <a class="home-link bar" href="/" aria-label="Mayfly, start page">
      <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M16 10v12M16 22l-5 8M16 22l5 8M14 8l-3-5M18 8l3-5" />
        <path
          fill="currentcolor"
          fill-opacity="0.18"
          d="M16 13C12 5 4 5 3 9s5 8 13 7zM16 13c4-8 12-8 13-4s-5 8-13 7z"
        />
      </svg>
      <span class="home-name">Mayfly</span>
    </a>
  );
}
