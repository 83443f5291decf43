/** Provokes each documented response of an operation. */
import type { ProblemCode } from '../../../contract/kit/errors.ts';
import type { OperationSpec } from '../../../contract/kit/operation.ts';
import { failures } from './failures.ts';
import { gate } from './gate.ts';
import { requests } from './requests.ts';
import type { Provoker } from './scene.ts';
import { states } from './states.ts';
import { served, successes } from './successes.ts';

const problems: Readonly<Partial<Record<ProblemCode, Provoker>>> = {
  ...gate,
  ...requests,
  ...states,
  ...failures,
};

/** @param answer a status below 400, or the code of a problem */
export function provokerOf({ id }: OperationSpec, answer: number | ProblemCode): Provoker {
  if (typeof answer === 'number') return successes[answer] ?? served;
  const provoker = problems[answer];
  if (provoker === undefined) throw new Error(`Say in test/support/provokers how ${id} answers ${answer}.`);
  return provoker;
}
