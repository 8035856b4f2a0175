/** The vocabulary of values: from clients, as stored, and from drivers. Pure. */
import type { LosslessNumber } from 'lossless-json';

/** A JSON value as a client sent it. A number that a double cannot represent exactly is a `LosslessNumber`. */
export type Json = null | boolean | number | string | LosslessNumber | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

/** A value converted to its column's type, in one canonical spelling; bytes for binary columns. */
export type BoundValue = string | Uint8Array;

/** A value from the driver: server text, or bytes, or a small exact number. Never a Date, never parsed JSON. */
export type Cell = string | number | Uint8Array | null;
