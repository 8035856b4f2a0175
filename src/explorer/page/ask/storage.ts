/** What this browser keeps for the page. In a frame, and by its user's choice, it may keep nothing: reading throws then. */
export function kept(of: 'localStorage' | 'sessionStorage', key: string): string {
  try {
    return window[of].getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** @param value '' forgets it */
export function keep(of: 'localStorage' | 'sessionStorage', key: string, value: string): void {
  try {
    if (value === '') window[of].removeItem(key);
    else window[of].setItem(key, value);
  } catch {
    // It holds until the page is left.
  }
}
