import { inspect, isDeepStrictEqual } from 'node:util';
import type { Answer } from './fleet.ts';
import type { Expected } from './model/answer.ts';

interface Refusal {
  readonly help: string;
  readonly success: boolean;
  readonly error: Readonly<Record<string, unknown>>;
}

/** Describes how the answers disagree; null if they agree. */
export function disagreement(answers: readonly Answer[], action: string, expected: Expected): string | null {
  const answerTexts = answers
    .map(
      ({ engine, status, text, cause }) => `${engine}: ${status} ${text}${cause === null ? '' : ` ${inspect(cause)}`}`,
    )
    .join('\n');
  const texts = new Set(answers.map((answer) => `${answer.status} ${comparable(answer.text, expected)}`));
  if (texts.size > 1) return `The engines differ.\n${answerTexts}`;
  const [answer] = answers;
  if (answer === undefined) throw new Error('there are no engines');
  const problem = againstModel(answer, action, expected);
  return problem === null ? null : `${problem}\n${answerTexts}`;
}

function againstModel({ status, text }: Answer, action: string, expected: Expected): string | null {
  if (expected.status === 200) {
    const expectedBody = `${expected.before}${expected.records.join(',')}${expected.after}`;
    const same = status === 200 && comparable(text, expected) === comparable(expectedBody, expected);
    return same ? null : `The model says (order: ${expected.order}):\nmodel: 200 ${expectedBody}`;
  }
  const prediction = `The model says: 409 ${JSON.stringify(expected.complaints)}, record ${expected.row ?? 'none'}`;
  if (status !== 409) return prediction;
  const { help, success, error }: Refusal = JSON.parse(text);
  const { records_row, records_field, __type, ...complaints } = error;
  // The wording is compared only where the model predicts it.
  const comparedComplaints = Object.entries(complaints).map(([name, words]) => [
    name,
    expected.complaints[name] === null ? null : withoutHints(words),
  ]);
  const expectedComplaints = Object.entries(expected.complaints).map(([name, words]) => [
    name,
    words === null ? null : [words],
  ]);
  const around = [help.endsWith(`=${action}`), success, __type, records_row];
  const fits =
    isDeepStrictEqual(around, [true, false, 'Validation Error', expected.row]) &&
    isDeepStrictEqual(Object.fromEntries(comparedComplaints), Object.fromEntries(expectedComplaints));
  return fits ? null : prediction;
}

/** Matches hints such as "did you mean", which the model does not predict. */
const advice = /(?:, did you mean "[^"]*"\?|, must be (?:a field|one field).*|; for a new record.*)$/s;

function withoutHints(words: unknown): unknown {
  return Array.isArray(words) ? words.map((text) => String(text).replace(advice, '')) : words;
}

/** The comparable part of a body. If the order of records is not guaranteed, they are sorted; if the answer is a part of them, only their number counts. */
function comparable(text: string, expected: Expected): string {
  if (expected.status !== 200 || expected.order === 'total') return text;
  const start = text.indexOf('"records":[') + '"records":['.length;
  const { records, end } = recordsFrom(text, start);
  const shown = expected.order === 'free' ? [...records].sort().join('\n') : String(records.length);
  return `${text.slice(0, start)}${shown}${text.slice(end)}`;
}

/** The JSON texts of the flat objects from `start` to the end of the list. */
function recordsFrom(text: string, start: number): { readonly records: readonly string[]; readonly end: number } {
  const record = /\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\},?/y;
  const records: string[] = [];
  record.lastIndex = start;
  let end = start;
  for (let found = record.exec(text); found !== null; found = record.exec(text)) {
    records.push(found[0].replace(/,$/, ''));
    end = record.lastIndex;
  }
  return { records, end };
}
