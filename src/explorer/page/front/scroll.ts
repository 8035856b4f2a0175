/** The scroll position of the front page, which is kept in its history entry: after Back the tables may arrive too late for the browser's own. */

/** Keeps it in the current history entry. Call it before the page is left. */
export function keepScroll(): void {
  history.replaceState({ scroll: scrollY }, '');
}

/** Scrolls to where the page was when its history entry was left. Call it when the tables are there. */
export function restoreScroll(): void {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null || !('scroll' in state)) return;
  if (typeof state.scroll === 'number') scrollTo(0, state.scroll);
}
