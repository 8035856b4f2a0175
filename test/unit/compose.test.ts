/** config/compose cannot be started here, so the file is parsed, and compared with the Dockerfile and with the files it mounts. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { formatComplaint } from '../../src/config/complaints.ts';
import { loadSettings } from '../../src/config/load.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'config/compose');
const read = (path: string) => readFileSync(path, 'utf8');

const texts = z.record(z.string(), z.string());
const check = z.strictObject({
  test: z.tuple([z.literal('CMD'), z.string()], z.string()),
  interval: z.string(),
  timeout: z.string(),
  retries: z.number(),
});
const server = z.strictObject({
  image: z.string().regex(/^[a-z]+:[\d.]+$/),
  command: z.array(z.string()).optional(),
  environment: texts,
  volumes: z.array(z.string()),
  healthcheck: check,
});
/** The parts of the Compose format that we use. Any other key is a mistake, or must be added here. */
const compose = z
  .strictObject({
    name: z.string(),
    services: z.strictObject({
      gateway: z.strictObject({
        build: z.strictObject({ context: z.string(), dockerfile: z.string() }),
        ports: z.array(z.string()),
        environment: texts,
        volumes: z.array(z.string()),
        depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })),
        stop_grace_period: z.string().regex(/^\d+s$/),
        restart: z.literal('on-failure'),
        read_only: z.literal(true),
        tmpfs: z.tuple([z.literal('/tmp:size=1g')]),
        cap_drop: z.tuple([z.literal('ALL')]),
        security_opt: z.tuple([z.literal('no-new-privileges:true')]),
      }),
      mariadb: server,
      postgres: server,
    }),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(read(join(folder, 'compose.yaml'))));
const { gateway, mariadb, postgres } = compose.services;

const dockerfile = read(join(root, 'config/Dockerfile'));
const instruction = (name: string) =>
  dockerfile
    .match(new RegExp(`^${name} (.*)$`, 'gm'))
    ?.at(-1)
    ?.slice(name.length + 1);

const loaded = loadSettings(join(folder, 'gateway.yaml'), gateway.environment);
const settings = () => {
  if (loaded.ok) return loaded.settings;
  throw new Error(loaded.complaints.map(formatComplaint).join('\n'));
};

test('the image is built from the repository, as the Dockerfile expects it', () => {
  expect(resolve(folder, gateway.build.context)).toBe(root);
  expect(existsSync(resolve(folder, gateway.build.context, gateway.build.dockerfile))).toBe(true);
});

test('the port that is published is that of the image and of the configuration, on this machine only', () => {
  const { server, admin } = settings();
  expect(gateway.ports).toEqual([`127.0.0.1:${server.port}:${instruction('EXPOSE')}`]);
  expect([server.port, server.host]).toEqual([Number(instruction('EXPOSE')), '0.0.0.0']);
  expect(server.siteUrl).toBe(`http://127.0.0.1:${server.port}`);
  // The image's health check calls the admin port from inside the container.
  expect(instruction('HEALTHCHECK')).toMatch(/127\.0\.0\.1:\$\{process\.env\.ADMIN_PORT\}\/live/);
  expect(instruction('ENV')?.split(' ')).toContain(`ADMIN_PORT=${admin?.port}`);
});

test('the configuration is mounted where the image reads it, and its variables are set', () => {
  const [command, path] = JSON.parse(instruction('CMD') ?? '');
  expect(command).toBe('serve');
  expect(gateway.volumes).toEqual([`./gateway.yaml:${path}:ro`]);
  expect(loaded.ok ? [] : loaded.complaints.map(formatComplaint)).toEqual([]);
  const used = new Set([...read(join(folder, 'gateway.yaml')).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name));
  expect([...used]).toEqual(Object.keys(gateway.environment));
});

test('the image runs without the rights that compose takes away, and has time to stop', () => {
  expect(instruction('USER')).toBe('node');
  expect(Number(gateway.stop_grace_period.slice(0, -1)) * 1000).toBeGreaterThan(settings().server.drainTimeout);
});

test('each database is a service beside the gateway, at its usual port, with the name and password of the files', () => {
  const services = { mariadb, postgres };
  expect(Object.keys(gateway.depends_on)).toEqual(Object.keys(services));
  const hosts = [...settings().databases.values()].map((one) => {
    if (!('connection' in one)) throw new Error(`${one.name} is embedded`);
    const { host, port, database, user, password } = one.connection;
    return { client: one.client, host, port, database, user, password };
  });
  const login = { database: 'shop', user: 'gateway', password: gateway.environment.SHOP_PASSWORD };
  expect(hosts).toEqual([
    { client: 'mysql', host: 'mariadb', port: 3306, ...login },
    { client: 'postgres', host: 'postgres', port: 5432, ...login },
  ]);
  expect([mariadb.environment.MARIADB_DATABASE, postgres.environment.POSTGRES_DB]).toEqual(['shop', 'shop']);
});

test.each([
  ['mariadb', mariadb, '/var/lib/mysql', "IDENTIFIED BY 'sample'"],
  ['postgres', postgres, '/var/lib/postgresql/data', "PASSWORD 'sample'"],
])('%s loads the tables, then the user, into a volume of its own', (name, { volumes }, data, password) => {
  const init = '/docker-entrypoint-initdb.d';
  expect(volumes).toEqual([
    `./shop-${name}.sql:${init}/1-shop.sql:ro`,
    `./user-${name}.sql:${init}/2-user.sql:ro`,
    `${name}:${data}`,
  ]);
  expect(Object.keys(compose.volumes)).toContain(name);
  expect(gateway.environment.SHOP_PASSWORD).toBe('sample');
  expect(read(join(folder, `user-${name}.sql`))).toContain(`CREATE USER gateway ${password}`);
  expect(read(join(folder, `shop-${name}.sql`))).toContain('CREATE TABLE orders');
});
