/** The operations that are planned: in the contract with all that they take and answer, but answered 501 until then. */
import { operations, type resources } from '../index.ts';
import type { OperationSpec } from './operation.ts';

export interface Planned extends OperationSpec {
  readonly planned: string;
}

type IdsIn<Module> = {
  [Name in keyof Module]: Module[Name] extends { readonly id: infer Id; readonly planned: string }
    ? Id
    : never;
}[keyof Module];

/** Their ids, as a type: what says something of each of them does not compile when one is made. */
export type PlannedId = {
  [Name in keyof typeof resources]: IdsIn<(typeof resources)[Name]>;
}[keyof typeof resources];

export const isPlanned = (spec: OperationSpec): spec is Planned => spec.planned !== undefined;

export const plannedOperations = (): Planned[] => operations.map(({ spec }) => spec).filter(isPlanned);
