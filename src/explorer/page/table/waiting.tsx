/** What is said while the database takes its time. */
import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../parts/notice.tsx';
import { say, shownCount } from '../texts/index.ts';

/** Seconds after which a line, and then a card is shown. */
const [lineAfter, cardAfter] = [3, 8];

export interface WaitingProps {
  /** Whether words are searched, which is what takes longest. */
  readonly hasWords: boolean;
  onStop(): void;
  onLeaveOut(): void;
}

/** Rendered for as long as an answer is awaited. */
export function Waiting({ hasWords, onStop, onLeaveOut }: WaitingProps) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timers = [lineAfter, cardAfter].map((after) => setTimeout(() => setSeconds(after), after * 1000));
    return () => timers.forEach(clearTimeout);
  }, []);
  if (seconds === 0) return null;
  if (seconds === lineAfter)
    return (
      <p class="waiting" role="status">
        {hasWords ? say.waitingForWords : say.waiting}
      </p>
    );
  return (
    <Notice title={say.slow}>
      <p>{say.slowFor(shownCount(cardAfter))}</p>
      <div class="row">
        {hasWords && (
          <button type="button" onClick={onLeaveOut}>
            {say.leaveOutWords}
          </button>
        )}
        <button type="button" class="quiet" onClick={onStop}>
          {say.stop}
        </button>
      </div>
    </Notice>
  );
}
