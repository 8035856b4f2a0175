import type { Question, Questions } from '../model/rows.ts';
import { inTurn } from '../values/in-turn.ts';
import type { Session } from './connection/call-sessions.ts';

/** Runs the statement of a question, and reads its answer. */
export const ask = async <T>(session: Session, question: Question<T>): Promise<T> =>
  question.read(await session.run(question.statement));

/** Runs the statements one after the other, and reads all answers together. */
export const askAll = async <T>(session: Session, questions: Questions<T>): Promise<T> =>
  questions.read(await inTurn(questions.statements, (statement) => session.run(statement)));
