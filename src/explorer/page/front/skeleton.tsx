import { say } from '../texts/index.ts';

/** Grey lines in place of the tables. They appear after a moment, so that a quick answer does not flicker. */
export const Skeleton = () => (
  <div class="skeleton" role="status">
    <span class="unseen-label">{say.loading}</span>
    {Array.from({ length: 6 }, (_, nth) => (
      <i key={nth} />
    ))}
  </div>
);
