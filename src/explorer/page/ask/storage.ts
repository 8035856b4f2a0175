/** Reads an item from the browser's storage; '' if there is none, or if access is blocked (in a frame, or by the user's settings). */
export function readItem(of: 'localStorage' | 'sessionStorage', key: string): string {
  try {
    return window[of].getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** @param value '' removes the item */
export function writeItem(of: 'localStorage' | 'sessionStorage', key: string, value: string): void {
  try {
    if (value === '') window[of].removeItem(key);
    else window[of].setItem(key, value);
  } catch {
    // Without storage, the value lasts until the page is closed.
  }
}
