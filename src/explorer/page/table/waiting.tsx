/** The message while the database takes its time. */
import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../parts/notice.tsx';
import type { Search } from '../parts/search.ts';
import { say, shownCount } from '../texts/index.ts';

export interface WaitingProps {
  readonly search: Search;
  /** Whether the search has words, which take longest to search. */
  readonly hasWords: boolean;
  onLeaveOut(): void;
}

/** After how many seconds first a line is shown, then a card. */
const [lineAfter, cardAfter] = [3, 8];

type State = 'short' | 'line' | 'card' | 'stopped';

/** Rendered while the page waits for a search's first records. */
export function Waiting({ search, hasWords, onLeaveOut }: WaitingProps) {
  const [state, setState] = useState<State>('short');
  useEffect(() => {
    setState('short');
    const timers = [
      setTimeout(() => setState('line'), lineAfter * 1000),
      setTimeout(() => setState((now) => (now === 'stopped' ? now : 'card')), cardAfter * 1000),
    ];
    return () => timers.forEach(clearTimeout);
  }, [search.pages]);
  switch (state) {
    case 'short':
      return null;
    case 'line':
      return (
        <p class="waiting" role="status">
          {hasWords ? say.waitingForWords : say.waiting}
        </p>
      );
    case 'card':
      return (
        <Notice title={say.slow}>
          <p>{say.slowFor(shownCount(cardAfter))}</p>
          <div class="row">
            {hasWords && (
              <button type="button" onClick={onLeaveOut}>
                {say.leaveOutWords}
              </button>
            )}
            <button
              type="button"
              class="quiet"
              onClick={() => {
                search.pages.stop();
                setState('stopped');
              }}
            >
              {say.stop}
            </button>
          </div>
        </Notice>
      );
    case 'stopped':
      return (
        <Notice title={say.stopped}>
          <div class="row">
            <button type="button" onClick={search.onReload}>
              {say.retry}
            </button>
          </div>
        </Notice>
      );
  }
}
