interface ChoiceProps<T extends string> {
  readonly of: readonly T[];
  readonly chosen: T;
  readonly label: string;
  nameOf(one: T): string;
  onChoose(one: T): void;
}

/** A row of buttons, of which one is pressed. */
export function Choice<T extends string>({ of, chosen, label, nameOf, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset class="switch">
      <legend class="unseen-label">{label}</legend>
      {of.map((one) => (
        <button key={one} type="button" aria-pressed={one === chosen} onClick={() => onChoose(one)}>
          {nameOf(one)}
        </button>
      ))}
    </fieldset>
  );
}
