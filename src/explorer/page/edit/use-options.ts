/** The records that a foreign key's input shows: the choices in its list, and the one that is stored. */
import { useState } from 'preact/hooks';
import type { Reference } from '../ask/table.ts';
import { type Loaded, useLoaded } from '../parts/hooks.ts';
import { type Option, readOptions } from './options.ts';

/** Milliseconds between the last key press and reading the choices. */
const typingPauseMs = 200;

/** The choices for what the user has typed. @param typed null while the list is closed: nothing is read then */
export function useOptions(reference: Reference, typed: string | null): Loaded<readonly Option[]> {
  return useLoaded(typed, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, typingPauseMs));
    signal.throwIfAborted();
    return readOptions(reference, { is: 'typed', text: typed ?? '' }, signal);
  });
}

/**
 * The record with the stored code. It is read, unless the user has just chosen it.
 * @param isTyping whether the user is typing: nothing is read then
 * @returns the record, undefined until it is read; and a function that keeps the one that the user chooses
 */
export function useStoredOption(
  reference: Reference,
  code: string,
  isTyping: boolean,
): readonly [stored: Option | undefined, keepChosen: (option: Option) => void] {
  const [chosen, setChosen] = useState<Option | null>(null);
  const isChosen = chosen?.code === code;
  const { data } = useLoaded(code === '' || isChosen || isTyping ? null : code, (signal) =>
    readOptions(reference, { is: 'code', text: code }, signal),
  );
  return [isChosen ? chosen : data?.find((one) => one.code === code), setChosen];
}
