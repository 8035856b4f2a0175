/** Reads the admin port, as load balancers and Prometheus do. */
import type { TestGateway } from './gateway.ts';

export interface AdminAnswer {
  readonly status: number;
  readonly text: string;
}

export async function ask(address: string, path: string, method = 'GET'): Promise<AdminAnswer> {
  const answer = await fetch(`${address}${path}`, { method });
  return { status: answer.status, text: await answer.text() };
}

/** The value of one series of `/metrics`; undefined if it is missing. */
export function metric(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  const line = text.split('\n').find((line) => {
    const [, series, inside = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    return series === name && Object.entries(labels).every(([label, value]) => inside.includes(`${label}="${value}"`));
  });
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

/** The URL of the admin port of a gateway that runs in this process. */
export function adminOf({ events }: TestGateway): string {
  const started = events.find((event) => event.on === 'started');
  if (started?.on !== 'started' || started.admin === null) throw new Error('no admin port');
  return started.admin;
}
