/** Computes the cost of hours of media, from the prices that the engines in use declare. */
import { declarations } from '../../engines/declarations.ts';
import { type PricedCapability, pricedEngine } from '../../engines/prices.ts';
import { choose, type Settings } from '../../engines/selection.ts';
import { CHARACTERS_PER_MINUTE, PICTURES_PER_SECOND } from '../../shared/workload.ts';
import { awsPrices } from './price-list.ts';

export interface Workload {
  readonly hours: number;
  readonly languages: number;
  /** The number of target languages that are also dubbed. */
  readonly spoken: number;
  readonly pictures: boolean;
}

export interface CostLine {
  readonly what: string;
  /** The name of the engine or service that does the work. */
  readonly by: string;
  readonly quantity: string;
  /** Null if the engine's price depends on the user's choice. */
  readonly usd: number | null;
  /** The provider's page with the price. Null if the operator set the price, or if the price is unknown. */
  readonly source: string | null;
}

/**
 * Lambda usage of Kinora's own steps for the sound and pictures of one minute of video: half a minute of a function
 * with 3 GB. Measured on a laptop, not on AWS.
 */
const STEPS_GB_SECONDS = 90;
/** Additional Lambda usage for one minute in each dubbed language. Measured on a laptop, not on AWS. */
const SPOKEN_GB_SECONDS = 45;
/** State transitions of an hour of video: an estimate from the events of an execution. */
const TRANSITIONS_PER_HOUR = 400;

export function estimate(work: Workload, settings: Settings): CostLine[] {
  const minutes = work.hours * 60;
  const characters = minutes * CHARACTERS_PER_MINUTE;
  const pictures = work.pictures ? minutes * 60 * PICTURES_PER_SECOND : 0;
  const lines = [
    line('speech to text', 'transcription', { minutes }, settings),
    line('entities, phrases, mood', 'text_analysis', { characters }, settings),
    line('faces', 'faces', { pictures }, settings),
    line('faces, compared', 'faces', { pictures: Math.min(pictures, compared(work, settings)) }, settings),
    line('text in pictures', 'ocr', { pictures }, settings),
    line('translation', 'translation', { characters: characters * work.languages }, settings),
    line('voice over', 'speech', { characters: characters * work.spoken }, settings),
  ];
  const gbSeconds = minutes * (STEPS_GB_SECONDS + SPOKEN_GB_SECONDS * work.spoken);
  return [
    ...lines.filter((one) => one !== null),
    {
      what: 'steps',
      by: 'AWS Lambda',
      quantity: `${whole(gbSeconds)} GB-s`,
      usd: gbSeconds * awsPrices.lambdaGbSecond.usd,
      source: awsPrices.lambdaGbSecond.source,
    },
    {
      what: 'state machines',
      by: 'AWS Step Functions',
      quantity: `${whole(work.hours * TRANSITIONS_PER_HOUR)} transitions`,
      usd: work.hours * TRANSITIONS_PER_HOUR * awsPrices.stateTransition.usd,
      source: awsPrices.stateTransition.source,
    },
  ];
}

/** Returns the number of comparisons of faces. The estimate assumes that each asset is one hour long. */
function compared({ hours }: Workload, settings: Settings): number {
  const choice = choose('faces', declarations.faces, settings);
  return choice.status === 'available' ? hours * (choice.engine.compares ?? 0) : 0;
}

type Quantity = { minutes: number } | { characters: number } | { pictures: number };

function line(
  what: string,
  capability: PricedCapability,
  quantity: Quantity,
  settings: Settings,
): CostLine | null {
  const [[unit, amount]] = Object.entries(quantity) as [[string, number]];
  const priced = amount === 0 ? null : pricedEngine(capability, settings);
  if (priced === null) return null;
  const { engine, microusd, source } = priced;
  const said = `${whole(amount)} ${unit}`;
  return {
    what,
    by: engine,
    quantity: said,
    usd: microusd === null ? null : (microusd * amount) / 1e6,
    source,
  };
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');
