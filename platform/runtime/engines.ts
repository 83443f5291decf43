/** The engines of this environment. */
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
 * Whether an engine of this environment has the capability, for the language (a BCP 47 tag) if one is given. Reads only
 * the settings. An engine whose program is missing throws `engine_unavailable` when it is used.
 */
export const availability = (capability: Capability, about: { language?: string } = {}): Availability =>
  availabilityOf(capability, declarations[capability], settings(), about);

/** The declaration of the engine in use, or the reason why there is no engine. */
export const declarationOf = (capability: Capability): Choice<EngineDeclaration> =>
  choose(capability, declarations[capability], settings());

/** The engine in use and its price, for metering; null if no engine is available. */
export const doneBy = (capability: PricedCapability): DoneBy | null => pricedEngine(capability, settings());

type Engines<C extends Capability> = (typeof registry)[C];
type Making<E> = E extends { make(context: infer Context): infer Made }
  ? { context: Omit<Context, 'settings'>; made: Made }
  : never;

/**
 * Makes the engine in use with its settings. Throws `engine_unavailable` if no engine is available.
 * @param engines the capability's line of the registry; an import of only that line bundles no other engines
 * @param context values that the port passes to its engines, in addition to their settings
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
