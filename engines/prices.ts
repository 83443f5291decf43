/** What the engines in use cost an operator, by the prices that they declare or that the operator set instead. */
import { type Capability, declarations } from '../build/engines/declarations.js';
import type { Price } from './engine.ts';
import { choose, type Settings } from './selection.ts';

/** What is counted of the work of a capability. Others are done by Kinora itself. */
export const countedOf = {
  transcription: 'minute',
  text_analysis: 'million_characters',
  faces: 'picture',
  ocr: 'picture',
  translation: 'million_characters',
  speech: 'million_characters',
  voice_cloning: 'million_characters',
} as const satisfies Partial<Record<Capability, Price['per']>>;

export type PricedCapability = keyof typeof countedOf;

export const pricedCapabilities = Object.keys(countedOf) as PricedCapability[];

/**
 * The setting that says what an engine costs, in place of what it declares: `PRICE_TRANSLATION`, USD for a minute, a million
 * characters or a picture. For prices that were agreed on, other regions, and engines whose price only the operator knows.
 */
export const priceSettingOf = (capability: string): string => `PRICE_${capability.toUpperCase()}`;

/** An engine, and what its work costs. */
export interface PricedEngine {
  readonly engine: string;
  /** Millionths of a USD for one minute, character or picture; null where nobody said. */
  readonly microusd: number | null;
  /** The page of the provider that says so; null where it is the operator, or it asks for nothing. */
  readonly source: string | null;
}

const unitsOf = { minute: 1, million_characters: 1e6, picture: 1 } as const satisfies Record<
  Price['per'],
  number
>;

/** Null where no engine does it. */
export function pricedEngine(capability: PricedCapability, settings: Settings): PricedEngine | null {
  const choice = choose(capability, declarations[capability], settings);
  if (choice.status === 'unavailable') return null;
  const { name, price } = choice.engine;
  const set = settings[priceSettingOf(capability)];
  const usd = set ? Number(set) : price === null ? 0 : price?.usd;
  return {
    engine: name,
    microusd: usd === undefined ? null : (usd * 1e6) / unitsOf[countedOf[capability]],
    source: set ? null : (price?.source ?? null),
  };
}
