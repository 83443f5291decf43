/** Which engine of a capability an environment uses, by its settings alone: nothing is loaded or tried. */
import { covers, type EngineDeclaration, type Place } from './engine.ts';

/** Environment variables by name. An empty one counts as not set. */
export type Settings = Readonly<Record<string, string | undefined>>;

export interface Unavailable {
  readonly status: 'unavailable';
  /** A sentence or two for people: what is missing, and what would help. */
  readonly reason: string;
}

export type Availability = { readonly status: 'available' } | Unavailable;

export type Choice<Declared> = { readonly status: 'available'; readonly engine: Declared } | Unavailable;

/** The setting that names an engine, whatever `ENGINES` says: `ENGINE_TRANSCRIPTION`. */
export const overrideOf = (capability: string): string => `ENGINE_${capability.toUpperCase()}`;

export const placeOf = ({ ENGINES }: Settings): Place => (ENGINES === 'local' ? 'local' : 'aws');

/** The engine that the capability's own setting names, else the first at home in this place that has its settings. */
export function choose<Declared extends EngineDeclaration>(
  capability: string,
  engines: readonly Declared[],
  settings: Settings,
): Choice<Declared> {
  const named = settings[overrideOf(capability)];
  const candidates = named
    ? engines.filter(({ name }) => name === named)
    : engines.filter(({ runs }) => runs.includes(placeOf(settings)));
  const engine = candidates.find((candidate) => missingSettings(candidate, settings).length === 0);
  if (engine) return { status: 'available', engine };
  return unavailable(whyNone(capability, engines, candidates[0], settings));
}

/** Whether the chosen engine does the capability, and in that language where one is asked for. */
export function availabilityOf(
  capability: string,
  engines: readonly EngineDeclaration[],
  settings: Settings,
  { language }: { readonly language?: string | undefined } = {},
): Availability {
  const choice = choose(capability, engines, settings);
  if (choice.status === 'unavailable') return choice;
  const { engine } = choice;
  if (language === undefined || covers(engine.languages, language)) return { status: 'available' };
  const refusal = `The engine in use (${engine.name}) does no ${inWords(capability)} in "${language}".`;
  return unavailable([refusal, whatInstead(engine)].join(' '));
}

/** So many languages are named in a sentence. */
const NAMED_LANGUAGES = 8;

function whatInstead({ languages, moreLanguages = '' }: EngineDeclaration): string {
  const isShort = languages !== 'any' && languages.length <= NAMED_LANGUAGES;
  const known = isShort ? `It knows: ${languages.join(', ')}.` : '`GET /v1/languages` lists what it knows.';
  return `${known} ${moreLanguages}`.trim();
}

/** The settings of an engine as it is made with, defaults included. Throws where one has no value. */
export function settingsFor(
  { name, settings: declared }: EngineDeclaration,
  settings: Settings,
): Record<string, string> {
  const values = Object.entries(declared).map(([key, setting]) => {
    const value = settings[key] || setting.default;
    if (value === undefined) throw new Error(`The engine ${name} needs ${key}: ${setting.description}`);
    return [key, value];
  });
  return Object.fromEntries(values) as Record<string, string>;
}

/**
 * The settings that only the user can set. A deployment gives others to the Lambdas that work with the engine, and to no
 * more.
 */
const missingSettings = ({ settings: declared }: EngineDeclaration, settings: Settings): string[] =>
  Object.entries(declared)
    .filter(([name, one]) => !settings[name] && one.default === undefined && one.deployed === undefined)
    .map(([name]) => name);

function whyNone(
  capability: string,
  engines: readonly EngineDeclaration[],
  candidate: EngineDeclaration | undefined,
  settings: Settings,
): string {
  const override = overrideOf(capability);
  const named = settings[override];
  if (candidate) {
    const missing = missingSettings(candidate, settings);
    const meanings = missing.map((name) => `${name} (${candidate.settings[name]!.description})`);
    return `The engine ${candidate.name} needs ${meanings.join(' and ')}.`;
  }
  const others = engines.map(({ name }) => name).join(', ');
  if (named)
    return `${override} is "${named}". The engines for ${inWords(capability)} are: ${others || 'none'}.`;
  const place = placeOf(settings);
  if (others)
    return `No engine for ${inWords(capability)} runs with ENGINES=${place}. ${override} may name: ${others}.`;
  return `Kinora has no engine for ${inWords(capability)} yet. engines/registry.ts is where one is added.`;
}

const unavailable = (reason: string): Unavailable => ({ status: 'unavailable', reason });

/** `sound_events` → `sound events`. */
const inWords = (capability: string): string => capability.replaceAll('_', ' ');
