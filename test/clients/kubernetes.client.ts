/** config/kubernetes: the published schemas accept it, its configuration is valid, and its parts fit together. No cluster is started. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadSettings } from '../../src/config/load.ts';

const folder = resolve(import.meta.dirname, '../../config/kubernetes');
const read = (name: string) =>
  parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document) => document.toJS());
const objects = read('gateway.yaml');
const only = (kind: string, name = 'datastore-gateway') =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);

test.each(['1.30', '1.36'])(
  'the schemas of Kubernetes %s accept every object, and no unknown field',
  async (version) => {
    const program = join(inject('bin'), 'kubernetes-validate');
    const args = ['--strict', '-k', version, join(folder, 'gateway.yaml')];
    const { stdout, stderr } = await promisify(execFile)(program, args);
    expect((stdout + stderr).match(/passed/g)).toHaveLength(objects.length);
  },
);

test('the ConfigMap holds a configuration, and its pod has the time that it needs', () => {
  const work = mkdtempSync(join(tmpdir(), 'gateway-kubernetes-'));
  try {
    const file = join(work, 'gateway.yaml');
    writeFileSync(file, only('ConfigMap').data['gateway.yaml']);
    const loaded = loadSettings(file, { ERP_PASSWORD: 'sample', SERVER_SECRET: 'x'.repeat(32) });
    if (!loaded.ok) throw new Error(loaded.complaints.join('\n'));
    const { server, admin } = loaded.settings;
    const { spec } = only('Deployment').spec.template;
    expect(spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(server.drainDelay + server.drainTimeout);
    const [{ ports, readinessProbe }] = spec.containers;
    expect(ports).toEqual([
      { name: 'http', containerPort: server.port },
      { name: 'admin', containerPort: admin?.port },
    ]);
    // Kubernetes must have stopped routing to the pod before it stops serving.
    expect(server.drainDelay).toBeGreaterThan(readinessProbe.periodSeconds * 1000);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});

test('Prometheus finds the admin ports, and clients do not', () => {
  const [monitor] = read('service-monitor.yaml');
  const matches = (service: { metadata: { labels: Record<string, string> } }) =>
    Object.entries(monitor.spec.selector.matchLabels).every(
      ([label, value]) => service.metadata.labels[label] === value,
    );
  const services = objects.filter(({ kind }) => kind === 'Service');
  expect(services.filter(matches).map(({ metadata }) => metadata.name)).toEqual(['datastore-gateway-admin']);
  const [endpoint] = monitor.spec.endpoints;
  expect(only('Service', 'datastore-gateway-admin').spec.ports).toMatchObject([{ name: endpoint.port }]);
  expect(only('Service').spec.ports).toMatchObject([{ targetPort: 'http' }]);
});
