// Loaded before the program. On SIGUSR2 it says in the file named by WEIGH what is alive, garbage left out.
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
  // A reader that waits for the file finds it whole.
  renameSync(`${file}.new`, file);
});
