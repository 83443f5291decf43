/** Finds in the contract which operations work and which are planned. Other files of the site must use this file. */
import { operations } from '../../contract/index.ts';

export type Availability = 'works' | 'partly' | 'planned';

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly errors?: readonly string[];
  /** The planned feature that the contract names for the operation. */
  readonly planned?: string | undefined;
}

const contract: readonly Operation[] = operations.map(({ spec }) => spec);

/**
 * The operations that answer 501 not_implemented to a valid request.
 * Throws for an unknown id.\n@param ids default: all operations
 */
export function plannedOf(ids?: readonly string[], known = contract): readonly Operation[] {
  const asked = ids?.map((id) => find(id, known)) ?? known;
  return asked.filter(isPlanned);
}

export function availabilityOf(ids: readonly string[], known = contract): Availability {
  const planned = plannedOf(ids, known).length;
  if (planned === 0) return 'works';
  return planned === ids.length ? 'planned' : 'partly';
}

const isPlanned = ({ errors = [], planned }: Operation): boolean =>
  planned !== undefined || errors.includes('not_implemented');

function find(id: string, known: readonly Operation[]): Operation {
  const found = known.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`the contract has no operation ${id}`);
  return found;
}
