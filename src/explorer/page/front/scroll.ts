/** The front page's scroll position, kept in its history entry. After Back, the tables may arrive too late for the browser to restore it. */

/** Keeps the position in the current history entry. Call it before leaving the page. */
export function keepScroll(): void {
  history.replaceState({ scroll: scrollY }, '');
}

/** Scrolls to where the page was when the user left its history entry. Call it once the tables are there. */
export function restoreScroll(): void {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null || !('scroll' in state)) return;
  if (typeof state.scroll === 'number') scrollTo(0, state.scroll);
}
