// Loaded into the gateway's process by `--import`: how long one turn of its event loop lasts, and how much memory it takes.
// Of a turn counts what both clocks agree on: the wall clock also runs while the machine does other work.
import { openSync, readSync } from 'node:fs';

const state = { hold: 0, rss: 0 };
const main = openStatistics();
const line = Buffer.alloc(64);
let last = clocks();
let turns = 0;

/** Linux counts the time of each thread: the helper threads of V8 and of zlib do not hold the event loop. */
function openStatistics() {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`);
  } catch {
    return null;
  }
}

/** Milliseconds that the main thread has run; of all threads where the system has no figure for each. */
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

/** Milliseconds from one reading of the clocks to another. */
function between(from, to) {
  return Math.min(to.wall - from.wall, to.processor - from.processor);
}

function tick() {
  const now = clocks();
  state.hold = Math.max(state.hold, between(last, now));
  // The system takes its time to say it.
  if (turns++ % 8 === 0) state.rss = Math.max(state.rss, process.memoryUsage.rss());
  last = now;
}

/** Work that is always the same: a native function, which no compiler makes faster while the process runs. */
const text = JSON.stringify(Array.from({ length: 15_000 }, (_, nth) => ({ id: nth, name: `record ${nth}` })));

/** Milliseconds that this work takes now: the best of several, as some of them collect garbage. */
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
