import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Bytes beside those at the start from which on a heap is mostly what is kept, not what the calls under way need. */
const large = 96 * 2 ** 20;
const every = 1000;

/**
 * Lets a large heap grow by a fifth before its garbage is looked for, from now on. V8 lets it double: beside a full cache that is
 * more memory than all the rest of the process. A small heap is left to V8, which would else look for garbage ten times a second: that
 * takes a third of the time of what is passed on (`npm run bench churn` and `proxy` show either).
 */
export function tendHeap(): void {
  // An embedded database alone reserves 600 million.
  const atStart = size();
  let wasLarge = false;
  const look = () => {
    const isLarge = size() - atStart > large;
    // Zero is V8's own rule again.
    if (isLarge !== wasLarge) setFlagsFromString(`--heap-growing-percent=${isLarge ? 20 : 0}`);
    wasLarge = isLarge;
  };
  setInterval(look, every).unref();
}

function size(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
