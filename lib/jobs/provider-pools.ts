/**
 * Computes the limits for each provider: the number of jobs that may use it at once, and the width of their machines in the steps
 * that call it. Both depend on the quotas of the account, the engines in use, and the steps that use the engines:
 * docs/decisions/0065.
 */
import { jobMachines } from '../../contract/kit/job-kinds.ts';
import type { Capability } from '../../engines/declarations.ts';
import { type ProviderQuotaName, providerQuotaNames, providerQuotas } from '../../engines/provider-quotas.ts';
import type { Environment, Quotas } from '../environments.ts';
import { quotasTaken } from '../shared/engines.ts';
import { narrowed, readDefinitions, type Scope, tasksOf, widthOf } from './definitions.ts';
import { settingsOf } from './steps.ts';

export interface Capacity {
  /** The maximum number of jobs of all tenants that run at once. Other jobs wait in the queue. */
  readonly jobsAtOnce: number;
  /** The maximum number of functions that one job runs at once. */
  readonly width: number;
}

/** The share of the concurrency that is kept free for requests, deliveries and the sweep. */
export const LEFT_TO_REQUESTS = 0.2;
/** The number of jobs that can always run at once. In a small account, the widths of these jobs are reduced. */
const LEAST_AT_ONCE = 4;
/** The width of the widest machine, clips: four clips with eight chunks each. */
const WIDEST = 32;
/** The usual number of functions that a job runs at once, for pieces of speech and for pictures together. */
const USUAL_WIDTH = 8;

/**
 * Returns the part of the account's concurrency that jobs may use. The rest is kept free, so that Lambda never refuses requests because
 * of jobs. Reserved concurrency would also limit each API function, and 100 executions must stay unreserved ("Configuring reserved
 * concurrency for a function"): docs/decisions/0058. Null if the concurrency is not limited, as on a laptop.
 */
export function capacityOf({ quotas }: { quotas: Pick<Quotas, 'lambdaConcurrency'> }): Capacity | null {
  if (!Number.isFinite(quotas.lambdaConcurrency)) return null;
  const forJobs = Math.floor(quotas.lambdaConcurrency * (1 - LEFT_TO_REQUESTS));
  const width = Math.min(WIDEST, Math.max(1, Math.floor(forJobs / LEAST_AT_ONCE)));
  const jobsAtOnce = Math.max(1, Math.floor(forJobs / Math.min(USUAL_WIDTH, width)));
  return { jobsAtOnce, width };
}

/** The limit of a provider, in the form that functions read: platform/admission/capacity.ts. */
interface ProviderPool {
  /** The maximum number of jobs that may use the provider at once. */
  readonly most: number;
  /** The capabilities whose engines call the provider, by the name of the machine. */
  readonly machines: Readonly<Record<string, readonly Capability[]>>;
}

type ProviderPools = Readonly<Partial<Record<ProviderQuotaName, ProviderPool>>>;

type Providing = Pick<Environment, 'quotas' | 'engines' | 'engineOverrides' | 'engineSettings' | 'prices'>;

interface ProviderUse {
  readonly step: string;
  readonly capability: Capability;
  readonly quota: ProviderQuotaName;
}

export interface Machine {
  readonly name: string;
  readonly steps: readonly string[];
  readonly scope: Scope;
}

/** The SDK's rate limiter allows each client one request in two seconds: engines/aws/requests.ts. */
const REQUESTS_S = 0.5;

export function functionsAt(name: ProviderQuotaName, quotas: Environment['quotas']): number {
  const atOnce = { 'at once': 1, second: 1 / REQUESTS_S, minute: 1 / (60 * REQUESTS_S) };
  return Math.max(1, Math.floor(quotas[name] * atOnce[providerQuotas[name].per]));
}

/** Lowers each MaxConcurrency of a machine to the limits of the account's functions, and of the providers that its steps call. */
export function fitted<Body extends Scope>(scope: Body, steps: readonly string[], of: Providing): Body {
  const capacity = capacityOf(of);
  if (capacity === null) return scope;
  const asked = usesOf(steps, of);
  return providerQuotaNames.reduce(
    (narrower, name) => {
      const width = Math.max(1, Math.floor(functionsAt(name, of.quotas) / LEAST_AT_ONCE));
      const isUsed = asked.some(({ quota }) => quota === name);
      return isUsed ? narrowed(narrower, width, asking(asked, name)) : narrower;
    },
    narrowed(scope, capacity.width),
  );
}

const cached = new WeakMap<Providing, ProviderPools>();

/** Returns the pool of each provider that jobs call. Null if the concurrency is not limited, as on a laptop. */
export function providerPoolsOf(of: Providing, machines = ofJobs): ProviderPools | null {
  if (capacityOf(of) === null) return null;
  const pools = (machines === ofJobs && cached.get(of)) || poolsIn(of, machines());
  if (machines === ofJobs) cached.set(of, pools);
  return pools;
}

function poolsIn(of: Providing, machines: readonly Machine[]): ProviderPools {
  const bounded = providerQuotaNames.filter((name) => Number.isFinite(of.quotas[name]));
  const pools = bounded.flatMap((name) => {
    const users = machines.flatMap(({ name: machine, steps, scope }) => {
      const asked = usesOf(steps, of).filter(({ quota }) => quota === name);
      const capabilities = [...new Set(asked.map(({ capability }) => capability))];
      const width = widthOf(fitted(scope, steps, of), asking(asked, name));
      return asked.length === 0 ? [] : [{ machine, capabilities, width }];
    });
    if (users.length === 0) return [];
    const widest = Math.max(...users.map(({ width }) => width));
    const most = Math.max(1, Math.floor(functionsAt(name, of.quotas) / widest));
    const leading = users.map(({ machine, capabilities }) => [machine, capabilities] as const);
    return [[name, { most, machines: Object.fromEntries(leading) }] as const];
  });
  return Object.fromEntries(pools);
}

const ofJobs = (): Machine[] =>
  readDefinitions()
    .filter(({ name }) => (jobMachines as readonly string[]).includes(name))
    .map(({ name, steps, body }) => ({ name, steps, scope: JSON.parse(body) as Scope }));

const usesOf = (steps: readonly string[], of: Providing): ProviderUse[] =>
  steps.flatMap((step) =>
    quotasTaken(settingsOf(step).permissions.engines ?? {}, of).map((one) => ({ step, ...one })),
  );

const asking = (asked: readonly ProviderUse[], name: ProviderQuotaName) =>
  tasksOf(new Set(asked.filter(({ quota }) => quota === name).map(({ step }) => step)));
