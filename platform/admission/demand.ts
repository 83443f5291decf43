/**
 * Demands: the maximum that a job needs of each meter. Each subject has one estimator. Quotes and reservations use the
 * same demands, so they always agree. See docs/decisions/0074.
 */
import { quotaExceeded } from '../../shared/job-errors.ts';
import { Problem } from '../../shared/problems.ts';
import { costOf, type DoneBy, type Limits, type Meter, meters } from '../../shared/usage.ts';

/** The quantity of each part of a job, such as a language or a clip. */
export type Quantities = Readonly<Record<string, number>>;

export interface Demand {
  readonly meter: Meter;
  /** In the unit of the meter: characters, milliseconds or bytes. */
  readonly quantity: number;
  /** The engine that does the work, with its price. Null if Kinora does the work itself, which costs nothing. */
  readonly by: DoneBy | null;
  /** Whether the quantity is an estimate from the use of similar media. */
  readonly is_estimate: boolean;
}

export interface DemandByPart extends Demand {
  readonly parts: Quantities;
}

export const demandOfParts = (parts: Quantities, demand: Omit<Demand, 'quantity'>): DemandByPart => ({
  ...demand,
  quantity: Object.values(parts).reduce((sum, quantity) => sum + quantity, 0),
  parts,
});

export const uploadDemands = (bytes: number): Demand[] => [
  { meter: 'uploads', quantity: 1, by: null, is_estimate: false },
  { meter: 'uploaded_bytes', quantity: bytes, by: null, is_estimate: false },
  { meter: 'stored_bytes', quantity: bytes, by: null, is_estimate: false },
];

/** Whether the tenant has a quota for one of these meters. The budget is the quota for `cost_microusd`. */
export const hasQuotaFor = ({ quotas }: Pick<Limits, 'quotas'>, names: readonly Meter[]): boolean =>
  names.some((meter) => quotas[meters[meter].metric] !== undefined);

/** The demands that a job reserves. The job's record stores the reserved quantity of each part. */
export interface ReservedParts {
  readonly demands: readonly Demand[];
  readonly held?: Quantities;
}

/** The demands of a job. Makes no estimate if the tenant has no quota for these meters, because estimates read texts and clips. */
export async function demandsIfLimited(
  limits: Pick<Limits, 'quotas'>,
  names: readonly Meter[],
  estimate: () => Promise<DemandByPart>,
): Promise<ReservedParts> {
  if (!hasQuotaFor(limits, names)) return { demands: [] };
  const demand = await estimate();
  return { demands: [demand], held: demand.parts };
}

/**
 * Throws the JobError quota_exceeded if a part needs more than its job reserved for it. This happens if a text or clip
 * changed after the request.
 * @param held the quantity reserved for the part; undefined if no quota limits the job
 */
export function requireReserved(quantity: number, held: number | undefined, part: string): void {
  if (held === undefined || quantity <= held) return;
  throw quotaExceeded(
    `The ${part} changed after the job was created, and now needs more of the quota than the job reserved (${quantity} instead of ${held}). Create the job again.`,
  );
}

/** A quantity of one meter. The cost counts as a meter too. */
export interface Amount {
  readonly meter: Meter;
  /** A whole number. */
  readonly quantity: number;
}

/**
 * The sum of the demands for each meter, and their cost. Throws quota_exceeded if the tenant has a budget and the price of an engine is
 * not known.
 */
export function amountsOf(demands: readonly Demand[], limits: Pick<Limits, 'quotas'>): Amount[] {
  const sums = new Map<Meter, number>();
  const add = (meter: Meter, quantity: number) => sums.set(meter, (sums.get(meter) ?? 0) + quantity);
  for (const { meter, quantity, by } of demands) {
    add(meter, quantity);
    const microusd = costOf(meter, quantity, by);
    if (by === null) continue;
    if (microusd !== null) add('cost_microusd', microusd);
    else if (hasQuotaFor(limits, ['cost_microusd'])) throw unpriced(by);
  }
  return [...sums].map(([meter, quantity]) => ({ meter, quantity: Math.ceil(quantity) }));
}

const unpriced = ({ engine }: DoneBy) =>
  new Problem(
    'quota_exceeded',
    `The tenant has a budget, but the price of the engine ${engine} is not known. The operator sets it under \`prices\` in the settings file of the environment.`,
  );
