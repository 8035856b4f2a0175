/** The input for a foreign key: a list to type in, as in the ARIA Authoring Practices' combobox pattern. The user can also type a code. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Reference } from '../ask/table.ts';
import { say } from '../texts/index.ts';
import { listId, OptionList, optionAfter, optionId } from './option-list.tsx';
import type { Option } from './options.ts';
import { words } from './texts/index.ts';
import { useOptions, useStoredOption } from './use-options.ts';

/** The attributes of the text input. */
export interface Typing {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
  readonly value: string;
  readonly placeholder: string;
  onInput(event: { readonly currentTarget: { readonly value: string } }): void;
}

export interface ReferenceInputProps {
  readonly reference: Reference;
  /** The stored text; '' if there is none. */
  readonly code: string;
  /** The text input. Its value is the code, or what the user is typing. */
  readonly typing: Typing;
  onCode(code: string): void;
  /** Called when the user begins or stops typing: in between, the text may not be a code. */
  onTyping(isTyping: boolean): void;
}

export function ReferenceInput(props: ReferenceInputProps) {
  const { reference, typing } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { typed, stored, options, active, isNothing, open, type, choose, leave, onKeyDown } = useChoice(props);
  // The label that replaces the code clears the selection, and what the user types next would be appended to it.
  useLayoutEffect(() => {
    if (document.activeElement === input.current) input.current?.select();
  }, [stored?.label]);
  return (
    <>
      <input
        {...typing}
        ref={input}
        class="line"
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={listId(id)}
        aria-activedescendant={options[active] === undefined ? undefined : optionId(id, active)}
        value={typed ?? stored?.label ?? typing.value}
        onInput={(event) => {
          type(event.currentTarget.value);
          typing.onInput(event);
        }}
        onFocus={(event) => event.currentTarget.select()}
        onClick={open}
        onBlur={leave}
        onKeyDown={onKeyDown}
      />
      {typed === null && stored?.label != null && <code class="code-beside">{stored.code}</code>}
      <OptionList {...{ id, label: reference.title, options, active, onChoose: choose }} />
      <small class="hint" role="status">
        {isNothing ? say.noRecords : words.chooseFrom(reference.title)}
      </small>
    </>
  );
}

/** What the input shows, and what the user's typing and keys do. */
function useChoice({ reference, code, onCode, onTyping }: ReferenceInputProps) {
  const [isOpen, setOpen] = useState(false);
  /** What the user has typed but not chosen yet; null while the input shows the chosen record. */
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  const [stored, keepChosen] = useStoredOption(reference, code, typed !== null);
  const found = useOptions(reference, isOpen ? (typed ?? '') : null);
  const options = isOpen ? (found.data ?? []) : [];
  useEffect(() => onTyping(typed !== null), [typed !== null]);
  const open = () => {
    setOpen(true);
    setActive(-1);
  };
  const choose = (option: Option) => {
    keepChosen(option);
    setTyped(null);
    setOpen(false);
    onCode(option.code);
  };
  const type = (text: string) => {
    setTyped(text);
    // Not only in the effect: until it runs, the name would count as a wrong code.
    onTyping(true);
    open();
  };
  /** Ends typing. If the text is the whole label of one choice, it selects that record. */
  const leave = () => {
    const named = typed === null ? undefined : onlyNamed(typed, options);
    if (named !== undefined) return choose(named);
    setTyped(null);
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const option = options[active];
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!isOpen) open();
      else setActive(optionAfter(key, active, options.length));
    } else if (key === 'Enter' && isOpen && !event.ctrlKey && !event.metaKey) {
      if (option === undefined) leave();
      else choose(option);
    } else if (key === 'Escape' && isOpen) setOpen(false);
    else return;
    event.preventDefault();
  };
  const isNothing = isOpen && found.data?.length === 0 && !found.isLoading;
  return { typed, stored, options, active, isNothing, open, type, choose, leave, onKeyDown };
}

/** The option with this label; undefined if several have it. */
function onlyNamed(label: string, options: readonly Option[]): Option | undefined {
  const named = options.filter((one) => one.label?.toLowerCase() === label.trim().toLowerCase());
  return named.length === 1 ? named[0] : undefined;
}
