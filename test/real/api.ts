/** Calls the API with lossless JSON: records keep the digits of their numbers. */
import { parse, stringify } from 'lossless-json';
import type { TestGateway } from '../support/gateway.ts';

export type RealRecord = Readonly<Record<string, unknown>>;

export interface Page {
  readonly records: readonly RealRecord[];
  readonly fields: readonly unknown[];
  /** As JSON; undefined if it was not requested. */
  readonly total: string | undefined;
}

export async function search(gateway: TestGateway, params: RealRecord): Promise<Page> {
  const { records, fields, total } = await succeed(gateway, 'datastore_search', params);
  return { records: list(records).map(record), fields: list(fields), total: stringify(total) };
}

/** Calls an action. Throws unless it succeeds. Numbers in records that were read are sent back unchanged. */
export async function succeed(gateway: TestGateway, action: string, params: RealRecord): Promise<RealRecord> {
  const answer = await gateway.call(action, stringify(params));
  if (answer.status !== 200) throw new Error(`${action} ${stringify(params)}: ${answer.status} ${answer.text}`);
  return record(record(parse(answer.text)).result);
}

function record(value: unknown): RealRecord {
  if (!isObject(value)) throw new TypeError(`no object: ${value}`);
  return value;
}

function isObject(value: unknown): value is RealRecord {
  return typeof value === 'object' && value !== null;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`no list: ${value}`);
  return value;
}
