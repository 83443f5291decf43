/** The engines of this environment: whether a capability is there, and the engine that does it. */
import { type Capability, declarations } from '../../build/engines/declarations.js';
import type { Engine, EngineDeclaration } from '../../engines/engine.ts';
import { type PricedCapability, pricedEngine } from '../../engines/prices.ts';
import type * as registry from '../../engines/registry.ts';
import {
  type Availability,
  availabilityOf,
  type Choice,
  choose,
  settingsFor,
} from '../../engines/selection.ts';
import { engineUnavailable } from '../../shared/job-errors.ts';
import type { DoneBy } from '../../shared/usage.ts';
import { settings } from './environment.ts';

export type { Availability, Capability };

/**
 * Whether an engine of this environment does it, and in that language (a BCP 47 tag) where one is given. Says so of the
 * settings alone: an engine whose program turns out to be missing throws `engine_unavailable` when it is used.
 */
export const availability = (capability: Capability, about: { language?: string } = {}): Availability =>
  availabilityOf(capability, declarations[capability], settings(), about);

/** What the engine in use declares of itself, or why there is none. */
export const declarationOf = (capability: Capability): Choice<EngineDeclaration> =>
  choose(capability, declarations[capability], settings());

/** The engine in use and what it asks, for metering; null where there is none. */
export const doneBy = (capability: PricedCapability): DoneBy | null => pricedEngine(capability, settings());

type Engines<C extends Capability> = (typeof registry)[C];
type Making<E> = E extends { make(context: infer Context): infer Made }
  ? { context: Omit<Context, 'settings'>; made: Made }
  : never;

/**
 * What the engine in use makes of its settings. Throws `engine_unavailable` where there is none.
 * @param engines the capability's line of the registry: who names only that bundles no other engines
 * @param context what the port gives its engines beside their settings
 */
export function engineFor<C extends Capability>(
  capability: C,
  engines: Engines<C>,
  context: Making<Engines<C>[number]>['context'],
): Making<Engines<C>[number]>['made'] {
  const using = settings();
  const choice = choose(capability, engines as readonly Engine[], using);
  if (choice.status === 'unavailable') throw engineUnavailable(choice.reason);
  const { engine } = choice;
  const made = engine.make({ ...context, settings: settingsFor(engine, using) });
  return made as Making<Engines<C>[number]>['made'];
}
