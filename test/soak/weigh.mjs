// Loaded before the program. On SIGUSR2 it collects garbage and writes the memory in use to the file named by WEIGH.
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const file = process.env.WEIGH ?? '';

process.on('SIGUSR2', () => {
  collect();
  const { heapUsed, heapTotal, arrayBuffers, external, rss } = process.memoryUsage();
  const figures = { live: heapUsed + arrayBuffers, resident: rss, native: rss - heapTotal - external };
  writeFileSync(`${file}.new`, JSON.stringify(figures));
  // Renamed when complete, so that a reader never sees a part of it.
  renameSync(`${file}.new`, file);
});
