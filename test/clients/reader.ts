/** A reader of a page, who types its blocks in order and compares what they print with what the page shows. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { isShownJson, isShownText } from '../support/docs/compare.ts';
import type { Scene } from '../support/docs/coverage.ts';
import { applyDiff } from '../support/docs/edit.ts';
import { type Fence, root, whereIs } from '../support/docs/fences.ts';
import { fileOf } from '../support/docs/fragments.ts';
import type { ServerEngine } from '../support/servers/engines.ts';
import { freePort } from '../support/servers/scope.ts';
import { openPageDatabase, type PageDatabase, password } from './reader-database.ts';
import { openReaderShell, type ReaderShell } from './reader-shell.ts';

export interface Reader {
  /** Does what the block says. Throws if it fails although `output` shows no error, or the other way round. */
  follow(fence: Fence, output: Fence | null, isCompared: boolean): Promise<void>;
  /** Outputs that differ from the page. */
  readonly differences: readonly string[];
  close(): Promise<void>;
}

const token = /dsg_[\w-]{43}/;
const serves = /^((?:[A-Z_]+=\S+ )*)node (dist\/main\.js serve.*)$/m;

/**
 * @param server the server for the page's database; null if the page needs none
 * @param from the copy of the repository that the reader has
 */
export async function openReader(scene: Scene, server: ServerEngine | null, from = root): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-reader-'));
  for (const name of ['dist', 'config']) symlinkSync(join(from, name), join(folder, name));
  const [port, admin] = [await freePort(), await freePort()];
  const database = server === null ? null : await openPageDatabase(server, scene);
  const at = server === null ? null : new URL(server.url);
  const real = new Map([
    ['127.0.0.1:8000', `127.0.0.1:${port}`],
    ['127.0.0.1:9100', `127.0.0.1:${admin}`],
    ['admin: {}', `admin: { port: ${admin} }`],
    ...(at === null ? [] : [[server?.client === 'mysql' ? '127.0.0.1:3306' : '127.0.0.1:5432', at.host] as const]),
  ]);
  let newest = 'dsg_…';
  const differences: string[] = [];
  const asReal = (text: string) =>
    [...real].reduce((all, [shown, meant]) => all.replaceAll(shown, meant), text).replaceAll('dsg_…', () => newest);
  const asShown = (text: string) => [...real].reduce((all, [shown, meant]) => all.replaceAll(meant, shown), text);
  const shell = openReaderShell(folder, environment(folder, scene, at));
  const hear = (text: string) => {
    newest = token.exec(text)?.[0] ?? newest;
    return text;
  };
  const serve = (line: string) =>
    shell.serve(asReal(line).replace(serves, (_, set, rest) => `${set}exec node ${rest} --port ${port}`)).then(hear);

  /** Runs a block and returns its output. */
  const act = async (fence: Fence, mayFail: boolean): Promise<string> => {
    const { language, text } = fence;
    const run = async (lines: string) => {
      const { code, text: printed } = await shell.run(lines);
      if ((code !== 0) !== mayFail) throw new Error(`${whereIs(fence)} ended with ${code}:\n${printed}`);
      return hear(printed);
    };
    switch (language) {
      case 'sh':
        return serves.test(text) ? serve(text) : run(asReal(text));
      case 'python':
      case 'js': {
        const [name, program] = language === 'js' ? ['block.mjs', 'node'] : ['block.py', 'python'];
        writeFileSync(join(folder, name), asReal(text));
        return run(`${program} ${name}`);
      }
      case 'sql':
        if (database === null) throw new Error(`${whereIs(fence)}: the page has no database`);
        await database.exec(text);
        return '';
      case 'diff': {
        const { file, lines } = applyDiff(text, (name) => readFileSync(join(folder, name), 'utf8'));
        writeFileSync(join(folder, file), asReal(lines));
        return '';
      }
      default: {
        const file = fileOf(text);
        if (file !== null) writeFileSync(join(folder, file), asReal(text));
        return '';
      }
    }
  };

  try {
    if (scene.demo) {
      await serve('node dist/main.js serve');
      await shell.run(`export TOKEN=${newest}`);
    }
    await shell.run(helpers(at));
  } catch (error) {
    await closeAll(shell, database, folder);
    throw error;
  }
  return {
    differences,
    async follow(fence, output, isCompared) {
      const printed = asShown(await act(fence, output !== null && isRefused(output)));
      if (output === null || !isCompared) return;
      const isAsShown =
        output.language === 'json' ? isShownJson(output.text, printed) : isShownText(output.text, printed);
      if (!isAsShown) differences.push(`${whereIs(output)} shows\n${output.text}\nprinted is\n${printed}`);
    },
    close: () => closeAll(shell, database, folder),
  };
}

async function closeAll(shell: ReaderShell, database: PageDatabase | null, folder: string): Promise<void> {
  try {
    await shell.close();
  } finally {
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function environment(folder: string, { database }: Scene, at: URL | null): Record<string, string> {
  return {
    PATH: `${inject('bin')}:${process.env.PATH}`,
    ...{ HOME: folder, LANG: 'C.UTF-8', NO_COLOR: '1', PYTHONDONTWRITEBYTECODE: '1' },
    ...(typeof database === 'string' ? {} : { [database.variable]: password }),
    ...(at === null ? {} : { PGHOST: at.hostname, PGPORT: at.port, PGUSER: at.username }),
  };
}

/** Shell functions: curl fails if the call is refused. The database clients get the port of the test server, whose administrator has no password. */
const helpers = (at: URL | null): string =>
  [
    'set -o pipefail',
    'curl() { command curl --fail-with-body "$@"; }',
    ...(at === null
      ? []
      : [`mariadb() { command mariadb --protocol=tcp -h ${at.hostname} -P ${at.port} "\${@/#-p/--skip-password}"; }`]),
  ].join('\n');

/** Whether the page shows that this command fails. */
const isRefused = ({ language, text }: Fence): boolean =>
  (language === 'json' ? /"success": ?false/ : /^error: /m).test(text);
