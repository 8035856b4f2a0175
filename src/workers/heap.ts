import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Growth in bytes since the start, from which on the heap consists mostly of cache entries instead of running calls. */
const large = 96 * 2 ** 20;
/**
 * Bytes by which a smaller heap may grow before a collection. Buffers of answers count as growth, so with less V8 marks the whole heap
 * several times a second under searches that are not kept: they took a fifth of the time, and a 99th percentile twice as long.
 */
const leastGrowth = 64 * 2 ** 20;
/** Bytes for new objects, beside a heap up to 128 MB; beside a larger heap, this share of it. */
const leastNew = 8 * 2 ** 20;
const shareOfNew = 1 / 16;
const every = 1000;

/**
 * Tunes V8's garbage collection for a process with a large cache, from now on.
 *
 * A large heap may grow by a fifth before a collection. V8 would let it double: beside a full cache that is more memory than
 * all the rest of the process. A small heap with a fifth would be collected ten times a second, which takes a third of the time of
 * forwarding. (`npm run bench churn`, `proxy` and `uncached` show either.)
 *
 * New objects have little room at first, as a download touches all of it (`npm run bench dump`). To collect them, V8 visits
 * each page of the whole heap. Beside a million entries that took a third of the time, so a large heap gets more room
 * (`npm run bench entries`).
 *
 * V8 collects an idle process twice, the second time in one pause. With a heap of 2 GB that was 4 s. Once is enough.
 */
export function tendHeap(): void {
  setFlagsFromString('--memory-reducer-single-gc');
  // An embedded database alone reserves 600 million.
  const atStart = sizes().all;
  let said = '';
  const look = () => {
    const { heap, all } = sizes();
    const growing = all - atStart > large ? 20 : Math.max(20, Math.round((100 * leastGrowth) / heap));
    const factor = roomOfNew() < 0.9 * Math.max(leastNew, heap * shareOfNew) ? 2 : 1;
    const flags = `--heap-growing-percent=${growing} --semi-space-growth-factor=${factor}`;
    if (flags !== said) setFlagsFromString(flags);
    said = flags;
  };
  look();
  setInterval(look, every).unref();
}

/** Bytes in use: `heap` of the heap, `all` with external memory. */
function sizes(): { readonly heap: number; readonly all: number } {
  const { used_heap_size: heap, external_memory } = getHeapStatistics();
  return { heap, all: heap + external_memory };
}

/** Capacity in bytes of the space for new objects. */
function roomOfNew(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space === undefined ? 0 : space.space_used_size + space.space_available_size;
}
