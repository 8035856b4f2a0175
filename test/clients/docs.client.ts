/** A reader of the docs, who types every block and compares what it prints. */
import { afterAll, describe, expect, test } from 'vitest';
import { scenes, treatmentOf } from '../support/docs/coverage.ts';
import { type Fence, fencesOf, root } from '../support/docs/fences.ts';
import { fileOf } from '../support/docs/fragments.ts';
import { type ServerEngine, servers } from '../support/servers/engines.ts';
import { openReader } from './reader.ts';
import { openClone, type ReaderClone } from './reader-clone.ts';

const titles = { mariadb: 'MariaDB', postgres: 'PostgreSQL' } as const;

/** The blocks of a page, and of those that go on where it ends. */
const allFencesOf = (page: string): readonly Fence[] =>
  [page, ...(scenes[page]?.goesOnIn ?? [])].flatMap((one) => fencesOf(one));

/** A page with sections for two kinds of server is read once with each. */
const onEach = (page: string): readonly (keyof typeof titles)[] =>
  allFencesOf(page).some(({ heading }) => heading.includes(titles.postgres)) ? ['mariadb', 'postgres'] : ['mariadb'];

const isDone = (fence: Fence) =>
  treatmentOf(fence) === 'run' || (treatmentOf(fence) === 'load' && fileOf(fence.text) !== null);

/** Made by the first page that begins with a clone. */
let clone: Promise<ReaderClone> | null = null;
afterAll(async () => (await clone)?.remove(), 60_000);

describe.each(Object.entries(scenes))('%s', (page, scene) => {
  test.for(onEach(page))('does what it says, with %s', { timeout: 300_000 }, async (name, { skip }) => {
    const server: ServerEngine | undefined = servers().find((one) => one.name === name);
    if (server === undefined) return skip(`TEST_ENGINES leaves out ${name}`);
    const fences = allFencesOf(page).filter(({ heading }) => isFor(name, heading));
    const done = fences.filter(isDone);
    expect(done.length).toBeGreaterThan(0);
    if (scene.isFromClone) clone ??= openClone(fences[0]?.text ?? '');
    const from = scene.isFromClone ? await clone : null;
    const begin = Date.now();
    const reader = await openReader(scene, server, from?.folder ?? root);
    let firstRecord = 0;
    try {
      for (const fence of done) {
        const output = fences.find((one) => one.before === fence && treatmentOf(one) === 'output') ?? null;
        await reader.follow(fence, output, isTheSameOn(name, fence));
        if (output?.language === 'json') firstRecord ||= Date.now() - begin;
      }
      if (from !== null)
        console.log(`${page}, ${name}: ${from.ms} ms to clone, install and build, then ${firstRecord} ms to a record`);
      expect(reader.differences.join('\n\n')).toBe('');
    } finally {
      await reader.close();
    }
  });
});

const isFor = (name: keyof typeof titles, heading: string) =>
  Object.entries(titles).every(([other, title]) => other === name || !heading.includes(title));

/** The output of our commands is shown for MariaDB; the gateway's answers are the same for all servers. */
const isTheSameOn = (name: string, { language, text }: Fence) =>
  name === 'mariadb' || language !== 'sh' || !/^(?:node|cat) /m.test(text);
