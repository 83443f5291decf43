/** The declarations of all engines, as plain data. `toolchain/generate.ts` writes a copy for Lambdas, which do not load the engines. */
import type { EngineDeclaration } from './engine.ts';
import * as registry from './registry.ts';

export type Capability = keyof typeof registry;

export const declarations = Object.fromEntries(
  Object.entries(registry).map(([capability, engines]) => [
    capability,
    engines.map(({ make: _, ...declared }: EngineDeclaration & { make?: unknown }) => declared),
  ]),
) as unknown as Readonly<Record<Capability, readonly EngineDeclaration[]>>;
