import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Bytes beside those at the start from which on a heap is mostly what is kept, not what the calls under way need. */
const large = 96 * 2 ** 20;
/** Bytes that new objects may have, beside a heap up to 128 MB; beside a larger one this share of it. */
const leastNew = 8 * 2 ** 20;
const shareOfNew = 1 / 16;
const every = 1000;

/**
 * Tends the heap of a process that keeps much, from now on.
 *
 * A large one may grow by a fifth before its garbage is looked for. V8 lets it double: beside a full cache that is more memory than all
 * the rest of the process. A small heap is left to V8, which would else look for garbage ten times a second: that takes a third of the
 * time of what is passed on (`npm run bench churn` and `proxy` show either).
 *
 * New objects have little room at first, as a download touches all of it (`npm run bench dump`). To collect them V8 looks at each page
 * of the whole heap: beside a million answers a third of the time went there, so a large heap has more room (`npm run bench entries`).
 *
 * A process at rest is collected twice by V8, the second time at one go: with a heap of 2 GB that was 4 s. Once is enough.
 */
export function tendHeap(): void {
  setFlagsFromString('--memory-reducer-single-gc');
  // An embedded database alone reserves 600 million.
  const atStart = sizes().all;
  let said = '';
  const look = () => {
    const { heap, all } = sizes();
    const growing = all - atStart > large ? 20 : 0;
    const factor = roomOfNew() < 0.9 * Math.max(leastNew, heap * shareOfNew) ? 2 : 1;
    const flags = `--heap-growing-percent=${growing} --semi-space-growth-factor=${factor}`;
    // Zero percent is V8's own rule again.
    if (flags !== said) setFlagsFromString(flags);
    said = flags;
  };
  look();
  setInterval(look, every).unref();
}

/** Bytes in use: of the heap, and with what hangs on it elsewhere. */
function sizes(): { readonly heap: number; readonly all: number } {
  const { used_heap_size: heap, external_memory } = getHeapStatistics();
  return { heap, all: heap + external_memory };
}

/** Bytes that fit into the space for new objects. */
function roomOfNew(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space === undefined ? 0 : space.space_used_size + space.space_available_size;
}
