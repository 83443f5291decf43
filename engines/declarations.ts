/**
 * The declarations of all engines, as plain data. Lambdas import the generated `build/engines/declarations.js`, which contains the
 * same data without the engines (toolchain/generate.ts), so that every Lambda can find out what is available.
 */
import type { EngineDeclaration } from './engine.ts';
import * as registry from './registry.ts';

export type Capability = keyof typeof registry;

export const declarations = Object.fromEntries(
  Object.entries(registry).map(([capability, engines]) => [capability, engines.map(declared)]),
) as unknown as Readonly<Record<Capability, readonly EngineDeclaration[]>>;

function declared(engine: EngineDeclaration): EngineDeclaration {
  const { name, runs, languages, pairs, moreLanguages, settings, price, permissions, quotas } = engine;
  const optional = {
    ...(pairs && { pairs }),
    ...(moreLanguages && { moreLanguages }),
    ...(price !== undefined && { price }),
    ...(quotas && { quotas }),
  };
  return { name, runs, languages, ...optional, settings, permissions };
}
