/** Every type of column that the gateway can read and write. */
import type { Family } from '../family.ts';
import { bitStrings, bytes } from './bits-and-bytes.ts';
import { decimals } from './decimals.ts';
import { floats } from './floats.ts';
import { integers } from './integers.ts';
import { arrays, jsons } from './json.ts';
import { others } from './others.ts';
import { choices, texts } from './texts.ts';
import { dates, times, timestamps } from './times.ts';

export const families: readonly Family[] = [
  ...integers,
  ...decimals,
  ...floats,
  ...bitStrings,
  ...bytes,
  ...dates,
  ...timestamps,
  ...times,
  ...texts,
  ...choices,
  ...jsons,
  ...arrays,
  ...others,
];
