import type { ServerDatabase } from '../support/servers/engines.ts';

/** Creates typical legacy tables: a key, a unique code, a reference, a dozen columns. */
export async function makeTables(fresh: ServerDatabase, tables: number): Promise<void> {
  const isMysql = fresh.client === 'mysql';
  const columns = [
    `id ${isMysql ? 'int NOT NULL AUTO_INCREMENT' : 'serial'} PRIMARY KEY, code varchar(20) NOT NULL UNIQUE, parent int`,
    `title varchar(200), description text, price decimal(12,2), active ${isMysql ? 'tinyint(1)' : 'boolean'}, day date`,
    `created ${isMysql ? 'datetime' : 'timestamp'}, width double precision, height double precision, remark varchar(255)`,
  ].join(', ');
  for (let nth = 0; nth < tables; nth++) {
    const reference = nth === 0 ? '' : `, FOREIGN KEY (parent) REFERENCES legacy_${nth - 1} (id)`;
    await fresh.exec(`CREATE TABLE legacy_${nth} (${columns}${reference})${isMysql ? ' ENGINE=InnoDB' : ''}`);
  }
}
