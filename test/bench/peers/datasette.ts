/** Datasette serves SQLite only, so it gets a copy of `films`. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonEnvironment } from '../../support/python-environment.ts';
import { find, thisMachine } from '../../support/servers/programs.ts';
import { type OtherServer, startOnCore } from './other-server.ts';
import { filmColumns } from './tables.ts';

const names = ['id', ...Object.keys(filmColumns)];

const copy = `
import json, sqlite3, sys
to = sqlite3.connect(sys.argv[2])
to.execute("CREATE TABLE films (id integer PRIMARY KEY, ${names.slice(1).join(', ')})")
to.executemany("INSERT INTO films VALUES (${names.map(() => '?')})", json.load(open(sys.argv[1])))
to.commit()
`;

export const datasette: OtherServer = {
  name: 'Datasette',
  needs: 'python3',
  async start(database, scope) {
    const python = find('python3', thisMachine());
    if (python === null) return null;
    const bin = await pythonEnvironment(python, join(import.meta.dirname, 'datasette.txt'), 'datasette');
    const texts = names.map((name) => (name === 'id' ? name : `${name}::text`));
    const rows = await database.query(`SELECT ${texts} FROM films ORDER BY id`);
    const [json, file] = [join(scope.folder, 'films.json'), join(scope.folder, 'films.db')];
    writeFileSync(json, JSON.stringify(rows));
    await promisify(execFile)(join(bin, 'python'), ['-c', copy, json, file]);
    // Without the count and the facets, which the others do not send either.
    const page = '_shape=objects&_size=100&_sort=id&_nocount=1&_nofacet=1';
    const paths = {
      filtered: `/films/films.json?language_id=3&${page}`,
      byKey: '/films/films/77.json?_shape=objects',
      later: `/films/films.json?_next=7000&${page}`,
    };
    return startOnCore(scope, 'datasette', paths, {
      command: (port) => [join(bin, 'datasette'), 'serve', '--immutable', file, '--port', String(port)],
      environment: () => ({}),
    });
  },
};
