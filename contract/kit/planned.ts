/** Planned operations: the contract describes them, and a valid request is answered with 501. */
import { operations, type resources } from '../index.ts';
import type { OperationSpec } from './operation.ts';

export interface Planned extends OperationSpec {
  readonly planned: string;
}

type IdsIn<Module> = {
  [Name in keyof Module]: Module[Name] extends { readonly planned: string } ? Name : never;
}[keyof Module];

/** The ids of planned operations as a type. A record with all planned ids does not compile after one of the operations is implemented. */
export type PlannedId = {
  [Name in keyof typeof resources]: IdsIn<(typeof resources)[Name]>;
}[keyof typeof resources];

export const isPlanned = (spec: OperationSpec): spec is Planned => spec.planned !== undefined;

export const plannedOperations = (): Planned[] => operations.map(({ spec }) => spec).filter(isPlanned);
