/** Values that a filter of the configuration takes from the caller. Pure. */
import type { LosslessNumber } from 'lossless-json';

/** Stands in a filter for a claim of the caller: `${claim.a.b}` is the member `b` of the claim `a`. */
export class Claim {
  readonly path: readonly string[];

  constructor(path: readonly string[]) {
    this.path = path;
  }

  /** The claim as the configuration writes it. */
  toJSON(): string {
    return `\${claim.${this.path.join('.')}}`;
  }
}

/** A filter of the configuration: JSON in the grammar of `filters`, with claims in place of some values. */
export type RowTemplate = TemplateObject | readonly TemplateObject[];

export type TemplateValue =
  | null
  | boolean
  | number
  | string
  | LosslessNumber
  | Claim
  | readonly TemplateValue[]
  | TemplateObject;

export interface TemplateObject {
  readonly [name: string]: TemplateValue;
}
