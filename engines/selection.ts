/** Chooses the engine of a capability from the settings of an environment, without loading an engine. */
import { covers, type EngineDeclaration, type Place } from './engine.ts';

/** Environment variables by name. An empty value counts as not set. */
export type Settings = Readonly<Record<string, string | undefined>>;

export interface Unavailable {
  readonly status: 'unavailable';
  /** One or two sentences that tell people what is missing and what to do. */
  readonly reason: string;
}

export type Availability = { readonly status: 'available' } | Unavailable;

export type Choice<Declared> = { readonly status: 'available'; readonly engine: Declared } | Unavailable;

/** The name of the setting that selects an engine and overrides `ENGINES`, such as `ENGINE_TRANSCRIPTION`. */
export const overrideOf = (capability: string): string => `ENGINE_${capability.toUpperCase()}`;

export const placeOf = ({ ENGINES }: Settings): Place => (ENGINES === 'local' ? 'local' : 'aws');

/** Chooses the engine that `ENGINE_<CAPABILITY>` names, or the first engine for this place that has all its settings. */
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
  const refusal = `The engine in use (${engine.name}) does not support ${inWords(capability)} in "${language}".`;
  return unavailable([refusal, adviceFor(engine)].join(' '));
}

const MAX_NAMED_LANGUAGES = 8;

function adviceFor({ languages, moreLanguages = '' }: EngineDeclaration): string {
  const isShort = languages !== 'any' && languages.length <= MAX_NAMED_LANGUAGES;
  const known = isShort
    ? `It supports: ${languages.join(', ')}.`
    : '`GET /v1/languages` lists its languages.';
  return `${known} ${moreLanguages}`.trim();
}

/** Returns the settings for `make`, including defaults. Throws if a setting has no value. */
export function settingsFor({ name, settings: declared }: EngineDeclaration, settings: Settings) {
  const values = Object.entries(declared).map(([key, setting]): [string, string] => {
    const value = settings[key] || setting.default;
    if (value === undefined) throw new Error(`The engine ${name} needs ${key}: ${setting.description}`);
    return [key, value];
  });
  return Object.fromEntries(values);
}

/** Returns the missing settings that only the operator can set. A deployment sets all other settings. */
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
    const meanings = missing.map((name) => `${name} (${candidate.settings[name]?.description})`);
    return `The engine ${candidate.name} needs ${meanings.join(' and ')}.`;
  }
  const others = engines.map(({ name }) => name).join(', ');
  if (named)
    return `${override} is "${named}". The engines for ${inWords(capability)} are: ${others || 'none'}.`;
  const place = placeOf(settings);
  if (others)
    return `No engine for ${inWords(capability)} runs with ENGINES=${place}. ${override} can be: ${others}.`;
  return `Kinora has no engine for ${inWords(capability)} yet. Add one in engines/registry.ts.`;
}

const unavailable = (reason: string): Unavailable => ({ status: 'unavailable', reason });

const inWords = (capability: string): string => capability.replaceAll('_', ' ');
