import { order, type Sort } from '../ask/question.ts';

/** The sort order after a click: descending, then ascending, then none. NULL is always last. `isFurther` keeps the other columns in front. */
export function nextSort(sort: readonly Sort[], field: string, isFurther: boolean): readonly Sort[] {
  const now = sort.find((one) => one.field === field);
  const others = isFurther ? sort.filter((one) => one.field !== field) : [];
  if (now === undefined) return [...others, order(field, true)];
  return now.isDescending ? [...others, order(field, false)] : others;
}
