import { say, mapWords as words } from '../texts/index.ts';
import type { Place } from './places.ts';

const degrees = new Intl.NumberFormat(say.language, { maximumFractionDigits: 5 });

/** A place in words, such as `52.5° N, 13.4° E`. */
export function placeName({ longitude, latitude }: Place): string {
  const part = (value: number, direction: string) => `${degrees.format(Math.abs(value))}° ${direction}`;
  return [
    part(latitude, latitude < 0 ? words.south : words.north),
    part(longitude, longitude < 0 ? words.west : words.east),
  ].join(', ');
}
