import { readItem, writeItem } from '../ask/storage.ts';

/** The colour theme; `auto` follows the operating system. */
export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
const key = 'explorer colours';

export function theme(): Theme {
  return themes.find((one) => one === readItem('localStorage', key)) ?? 'auto';
}

export function chooseTheme(to: Theme): void {
  writeItem('localStorage', key, to);
  applyTheme(to);
}

export function applyTheme(to = theme()): void {
  document.documentElement.style.colorScheme = to === 'auto' ? '' : to;
}
