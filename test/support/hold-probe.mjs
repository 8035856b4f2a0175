// Loaded into the gateway's process by `--import`. It measures how long a turn of the event loop blocks, and peak memory.
// A turn counts with the smaller of wall-clock and CPU time, because the wall clock also runs while the machine does other work.
import { openSync, readSync } from 'node:fs';

const state = { hold: 0, rss: 0 };
const main = openStatistics();
const line = Buffer.alloc(64);
let last = clocks();
let turns = 0;

/** On Linux, CPU time of the main thread alone: helper threads of V8 and zlib do not block the event loop. */
function openStatistics() {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`);
  } catch {
    return null;
  }
}

/** CPU time of the main thread in milliseconds; of the whole process where the system does not list threads. */
function processor() {
  if (main === null) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const length = readSync(main, line, 0, line.length, 0);
  return Number.parseInt(line.latin1Slice(0, length), 10) / 1e6;
}

function clocks() {
  return { wall: performance.now(), processor: processor() };
}

/** Milliseconds between two readings of the clocks. */
function between(from, to) {
  return Math.min(to.wall - from.wall, to.processor - from.processor);
}

function tick() {
  const now = clocks();
  state.hold = Math.max(state.hold, between(last, now));
  // Reading the memory usage is slow, so only every eighth turn does it.
  if (turns++ % 8 === 0) state.rss = Math.max(state.rss, process.memoryUsage.rss());
  last = now;
}

/** A fixed amount of work in native code, so that JIT compilation does not change its speed. */
const text = JSON.stringify(Array.from({ length: 15_000 }, (_, nth) => ({ id: nth, name: `record ${nth}` })));

/** Milliseconds for the fixed work: the best of five, because garbage collection slows some of them down. */
function pace() {
  let best = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < 5; nth++) {
    const start = clocks();
    JSON.parse(text);
    best = Math.min(best, between(start, clocks()));
  }
  return best;
}

setInterval(tick, 1).unref();
process.on('message', (message) => {
  tick();
  if (message === 'held') {
    process.send({ ...state, rss: Math.max(state.rss, process.memoryUsage.rss()) });
    state.hold = 0;
    state.rss = 0;
  }
  if (message === 'pace') {
    process.send({ pace: pace() });
    last = clocks();
  }
});
process.channel?.unref();
