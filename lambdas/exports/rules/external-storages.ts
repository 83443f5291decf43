/** Rules of external storages, and the masks for operators. */
import { type StorageMembers, type StorageType, storageTypes } from '../../../contract/kit/storage-types.ts';
import { defined, itemAt } from '../../../shared/checked-access.ts';
import { type Finding, Inconsistent, InvalidState, Problem } from '../../../shared/problems.ts';

export const storagePlace = { type: 'external_storages', kind: 'external storage' };

type Members = Readonly<Record<string, unknown>>;

const dependents = ['destination', 'authentication_data'] as const;

/** Throws validation_failed if destination or credentials do not fit the type. A change may contain only a new type. */
export function requireFittingStorage(storage: Members, given: Members): void {
  const type = storage.type as StorageType;
  const findings = dependents.flatMap((member) => {
    const names = namesOf(storage, given, member);
    return names === null ? [] : misfits(type, member, names);
  });
  if (findings.length === 0) return;
  throw new Problem('validation_failed', itemAt(findings, 0).detail, { findings });
}

export function missingOf(storage: Members): (typeof dependents)[number][] {
  const needs = storageTypes[storage.type as StorageType];
  return dependents.filter((member) => needs[member].length > 0 && namesOf(storage, {}, member) === null);
}

export function requireComplete(storage: Members): void {
  const missing = missingOf(storage);
  if (missing.length === 0) return;
  throw new InvalidState(
    `The external storage has no ${missing.join(' and no ')}: nothing can be exported to it. Add ${missing.join(' and ')}.`,
  );
}

/** Throws validation_failed if a change would send stored credentials to a new destination. */
export function requireNoStrayCredentials(given: Members, before: Members | null): void {
  const kept =
    before !== null && !('authentication_data' in given) ? namesOf(before, {}, 'authentication_data') : null;
  if (
    kept === null ||
    !('destination' in given) ||
    isSameDestination(given.destination, defined(before).destination)
  )
    return;
  const detail = 'The destination changes. Give the credentials for the new one, or null.';
  throw new Inconsistent([{ pointer: '/authentication_data', code: 'required', detail }]);
}

/** Whether two destinations have the same members, which are strings, in any order. */
export function isSameDestination(one: unknown, other: unknown): boolean {
  const entries = (value: unknown) => JSON.stringify(Object.entries(value ?? {}).sort());
  return entries(one) === entries(other);
}

function namesOf(storage: Members, given: Members, member: (typeof dependents)[number]): string[] | null {
  if (member in given) return given[member] === null ? null : Object.keys(given[member] as object);
  if (member === 'destination') return storage.destination ? Object.keys(storage.destination) : null;
  const kept = (storage.authentication_fields ?? []) as string[];
  return kept.length === 0 ? null : kept;
}

function misfits(type: StorageType, member: keyof StorageMembers, names: readonly string[]): Finding[] {
  const expected: readonly string[] = storageTypes[type][member];
  const missing = expected.filter((name) => !names.includes(name));
  const foreign = names.filter((name) => !expected.includes(name));
  return [
    ...missing.map((name) => ({
      pointer: `/${member}/${name}`,
      code: 'required',
      detail: `${member}.${name} is required for the type ${type}.`,
    })),
    ...foreign.map((name) => ({
      pointer: `/${member}/${name}`,
      code: 'unknown_member',
      detail: `${member}.${name} does not belong to the type ${type}.`,
    })),
  ];
}

/** Shows only the first and last two characters. People who know the text recognize it, and others cannot guess it. */
export function masked(text: string): string {
  return text.length < 6 ? '…' : `${text.slice(0, 2)}…${text.slice(-2)}`;
}

export const maskedMembers = (members: Members | null): Record<string, string> | null =>
  members &&
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, masked(String(value))]));
