/** The prices of the engines in use. The engines declare them, or the operator sets them. */
import { type Capability, declarations } from '../build/engines/declarations.js';
import type { Price } from './engine.ts';
import { choose, type Settings } from './selection.ts';

/** The unit of the price, by capability. Capabilities that are missing here are free, because Kinora itself does the work. */
export const unitOf = {
  transcription: 'minute',
  text_analysis: 'million_characters',
  faces: 'picture',
  ocr: 'picture',
  translation: 'million_characters',
  speech: 'million_characters',
  voice_cloning: 'million_characters',
} as const satisfies Partial<Record<Capability, Price['per']>>;

export type PricedCapability = keyof typeof unitOf;

export const pricedCapabilities = Object.keys(unitOf) as PricedCapability[];

/** The name of the setting that replaces the declared price, such as `PRICE_TRANSLATION`. Its value is in USD for one unit. */
export const priceSettingOf = (capability: string): string => `PRICE_${capability.toUpperCase()}`;

export interface PricedEngine {
  readonly engine: string;
  /** Millionths of a US dollar for one minute, character or picture. Null if unknown. */
  readonly microusd: number | null;
  /** The provider's page with the price. Null if the operator set the price, or if the engine is free. */
  readonly source: string | null;
}

const amountOf: Readonly<Record<Price['per'], number>> = { minute: 1, million_characters: 1e6, picture: 1 };

export function pricedEngine(capability: PricedCapability, settings: Settings): PricedEngine | null {
  const choice = choose(capability, declarations[capability], settings);
  if (choice.status === 'unavailable') return null;
  const { name, price } = choice.engine;
  const set = settings[priceSettingOf(capability)];
  const usd = set ? Number(set) : price === null ? 0 : price?.usd;
  return {
    engine: name,
    microusd: usd === undefined ? null : (usd * 1e6) / amountOf[unitOf[capability]],
    source: set ? null : (price?.source ?? null),
  };
}
