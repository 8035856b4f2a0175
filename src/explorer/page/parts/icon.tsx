/** The page's icons: one path each, in a square of 16. */
const paths = {
  number: 'M5 2.5 4 13.5M11 2.5l-1 11M2.5 5.5h11M2.5 10.5h11',
  text: 'M3 4V3h10v1M8 3v10M6 13h4',
  time: 'M3 4h10v9H3zM3 7h10M6 2.5v2M10 2.5v2',
  link: 'M6.5 9.5 13 3M9 3h4v4M12 9v4H3V4h4',
  key: 'M10 6.5a3 3 0 1 0-3 3M8.5 8.5l5 5M11.5 11.5l1-1',
  place: 'M8 14s4.5-4.2 4.5-7.5a4.5 4.5 0 0 0-9 0C3.5 9.8 8 14 8 14zM8 8a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  find: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
  download: 'M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  share: 'M5 8.5 11 5M5 8.5 11 12M4 10a1.6 1.6 0 1 0 0-3.2A1.6 1.6 0 0 0 4 10z',
  settings: 'M2 5h7M13 5h1M2 11h1M7 11h7M11 3v4M5 9v4',
  edit: 'M3 13l.6-2.8L10.8 3 13 5.2 5.8 12.4z',
  up: 'M8 13V3.5M4.5 7 8 3.5 11.5 7',
  down: 'M8 3v9.5M4.5 9 8 12.5 11.5 9',
  reference: 'M3 4.5h6v7H3zM9 8h4M11 6l2 2-2 2',
  yes: 'M3 8.5 6.5 12 13 4.5',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3 1v-5z',
  list: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  document: 'M6 3C4 3 5 7 3 8c2 1 1 5 3 5M10 3c2 0 1 4 3 5-2 1-1 5-3 5',
  undo: 'M3.5 6.5h6a3.5 3.5 0 0 1 0 7H6M6.5 3.5l-3 3 3 3',
  refresh: 'M13 5.5A5.5 5.5 0 1 0 13.5 9M13 2.5v3h-3',
} as const;

export type IconName = keyof typeof paths;

/** @param label what the icon means, if no text beside it says so */
export function Icon({ name, label }: { readonly name: IconName; readonly label?: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" role="img" aria-label={label} aria-hidden={label === undefined}>
      <path d={paths[name]} />
    </svg>
  );
}
