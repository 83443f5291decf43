/**
 * Limits for each provider: how many jobs may use the provider at once, and the width of their machines in the steps
 * that call the provider. Both depend on the account's quotas, the engines in use, and the steps that use the engines:
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
  /** Jobs of all tenants that run at once. Others wait in the queue. */
  readonly jobsAtOnce: number;
  /** Most functions that one job runs at once. */
  readonly width: number;
}

/** Share of the concurrency that stays free for requests, deliveries and the sweep. */
const LEFT_TO_REQUESTS = 0.2;
/** Jobs that can always run at once. If necessary, lower widths make room for this number. */
const LEAST_AT_ONCE = 4;
/** The width of the widest machine, clips: four clips with eight chunks each. */
const WIDEST = 32;
/** Usual number of functions of a job: pieces of speech, and spans of pictures at the same time. */
const USUAL_WIDTH = 8;

/**
 * The share of the account's concurrency that jobs may use. The rest stays free, so that jobs never make Lambda refuse
 * requests. Reserved concurrency would limit each API function instead, and Lambda needs 100 unreserved executions
 * ("Configuring reserved concurrency for a function"): docs/decisions/0058. Null if nothing limits concurrency, as on a laptop.
 */
export function capacityOf({ quotas }: { quotas: Pick<Quotas, 'lambdaConcurrency'> }): Capacity | null {
  if (!Number.isFinite(quotas.lambdaConcurrency)) return null;
  const forJobs = Math.floor(quotas.lambdaConcurrency * (1 - LEFT_TO_REQUESTS));
  const width = Math.min(WIDEST, Math.max(1, Math.floor(forJobs / LEAST_AT_ONCE)));
  const jobsAtOnce = Math.max(1, Math.floor(forJobs / Math.min(USUAL_WIDTH, width)));
  return { jobsAtOnce, width };
}

/** The limit of a provider, as functions receive it: platform/admission/capacity.ts. */
interface ProviderPool {
  /** Jobs that may use the provider at once. */
  readonly most: number;
  /** Capabilities whose engines call the provider, by name of the machine. */
  readonly machines: Readonly<Record<string, readonly Capability[]>>;
}

type ProviderPools = Readonly<Partial<Record<ProviderQuotaName, ProviderPool>>>;

type Providing = Pick<Environment, 'quotas' | 'engines' | 'engineOverrides' | 'engineSettings' | 'prices'>;

interface Taking {
  readonly step: string;
  readonly capability: Capability;
  readonly quota: ProviderQuotaName;
}

/** A machine as its file has it, with the name of its definition. */
export interface Machine {
  readonly name: string;
  readonly steps: readonly string[];
  readonly scope: Scope;
}

/** The SDK's rate limiter allows each client one request in two seconds: engines/aws/requests.ts. */
const REQUESTS_S = 0.5;

/** How many functions may use a provider at once; at least one. */
export function functionsAt(name: ProviderQuotaName, quotas: Environment['quotas']): number {
  const atOnce = { 'at once': 1, second: 1 / REQUESTS_S, minute: 1 / (60 * REQUESTS_S) };
  return Math.max(1, Math.floor(quotas[name] * atOnce[providerQuotas[name].per]));
}

/** The machine with its MaxConcurrency lowered to fit the account's functions and the providers of its steps. */
export function fitted<Body extends Scope>(scope: Body, steps: readonly string[], of: Providing): Body {
  const capacity = capacityOf(of);
  if (capacity === null) return scope;
  const asked = takings(steps, of);
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

/** The pool of each provider that jobs call. Null if nothing limits concurrency, as on a laptop. */
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
      const asked = takings(steps, of).filter(({ quota }) => quota === name);
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

const takings = (steps: readonly string[], of: Providing): Taking[] =>
  steps.flatMap((step) =>
    quotasTaken(settingsOf(step).permissions.engines ?? {}, of).map((one) => ({ step, ...one })),
  );

const asking = (asked: readonly Taking[], name: ProviderQuotaName) =>
  tasksOf(new Set(asked.filter(({ quota }) => quota === name).map(({ step }) => step)));
