/** The declarations of all engines, as plain data. Lambdas import the copy by toolchain/generate.ts, without engines. */
import type { EngineDeclaration } from './engine.ts';
import * as registry from './registry.ts';

export type Capability = keyof typeof registry;

export const declarations = Object.fromEntries(
  Object.entries(registry).map(([capability, engines]) => [
    capability,
    engines.map(({ make: _, ...declared }: EngineDeclaration & { make?: unknown }) => declared),
  ]),
) as unknown as Readonly<Record<Capability, readonly EngineDeclaration[]>>;
