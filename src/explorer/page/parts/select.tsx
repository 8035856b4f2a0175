export interface SelectProps<T extends string> {
  readonly label: string;
  /** Whether the label is for screen readers only. */
  readonly isBare?: boolean;
  readonly all: readonly T[];
  /** Null if the user still has to choose. */
  readonly value: T | null;
  readonly isDisabled?: boolean;
  nameOf(one: T): string;
  onValue(value: T): void;
}

/** A choice of one value, with its label above. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, isBare = false, all, value, isDisabled = false, nameOf, onValue } = props;
  const select = (
    <select
      aria-label={isBare ? label : undefined}
      value={value ?? ''}
      disabled={isDisabled}
      required={value === null}
      onChange={({ currentTarget }) => all.filter((one) => one === currentTarget.value).forEach(onValue)}
    >
      {value === null && <option value="" />}
      {all.map((one) => (
        <option key={one} value={one}>
          {nameOf(one)}
        </option>
      ))}
    </select>
  );
  if (isBare) return select;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the select is its control
    <label>
      {label}
      {select}
    </label>
  );
}
