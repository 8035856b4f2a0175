/** Light or dark: as the system, until somebody chooses. */
export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
const key = 'explorer colours';

export function theme(): Theme {
  return themes.find((one) => one === localStorage.getItem(key)) ?? 'auto';
}

export function chooseTheme(to: Theme): void {
  localStorage.setItem(key, to);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.style.colorScheme = theme() === 'auto' ? '' : theme();
}
