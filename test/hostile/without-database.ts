/** The gateway as a separate process with an unreachable database: enough for tests that never get to use one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProgram, type Running } from '../support/program.ts';
import { lines, running } from '../support/workers.ts';

export interface WithoutDatabase {
  /** @param more configuration besides the required settings */
  serve(name: string, more: Readonly<Record<string, unknown>>): Promise<Running>;
  /** Stops everything that is still running, and removes the files. */
  remove(): void;
}

export function withoutDatabase(): WithoutDatabase {
  const program = openProgram();
  const folder = mkdtempSync(join(tmpdir(), 'gateway-alone-'));
  return {
    async serve(name, more) {
      const path = join(folder, `${name}.yaml`);
      const minimal = {
        server: { port: 0 },
        admin: { port: 0 },
        databases: { db: { client: 'postgres', connection: 'postgres://nobody@127.0.0.1:1/none' } },
        resources: { t: { database: 'db', table: 't', access: { read: 'public' } } },
      };
      writeFileSync(path, JSON.stringify({ ...minimal, ...more }));
      return running(await program.serve(['serve', path]));
    },
    remove() {
      program.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A call that the gateway answers by itself, without a database. */
export const harmless = '/api/3/action/help_show?name=datastore_search';

export const adminOf = (gateway: Running): string => lines(gateway).find(({ msg }) => msg === 'started')?.admin ?? '';

/** Output that must never appear: uncaught errors, or warnings about leaked listeners. */
export const outputBesideLog = (stderr: string): readonly string[] =>
  stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
