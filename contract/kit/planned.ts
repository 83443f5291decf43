/** Planned operations: the contract has their requests and answers, and a valid request is answered with 501. */
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

/** Their ids as a type. A record over all planned operations no longer compiles when one is implemented. */
export type PlannedId = {
  [Name in keyof typeof resources]: IdsIn<(typeof resources)[Name]>;
}[keyof typeof resources];

export const isPlanned = (spec: OperationSpec): spec is Planned => spec.planned !== undefined;

export const plannedOperations = (): Planned[] => operations.map(({ spec }) => spec).filter(isPlanned);
