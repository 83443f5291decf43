/**
 * What an engine declares of itself. Its Lambdas' environment and policy, the languages that the API offers and the
 * choice between engines follow from it, so nothing of an engine stands anywhere else than in its own file.
 */

import type { ProviderQuotaName } from './provider-quotas.ts';

/** Where an engine is at home. `ENGINES` names the place whose engines are used. */
export type Place = 'aws' | 'local';

/** An environment variable of a Lambda, under this one name along its whole way. */
export interface Setting {
  readonly description: string;
  /** The value where nobody sets another. */
  readonly default?: string;
  /**
   * The value that a deployment gives it; `{media_bucket}` and other names of resources are filled in, see
   * `lib/shared/engines.ts`. A setting with neither this nor a default is the user's: without it the engine is not used.
   */
  readonly deployed?: string;
  /** A deployed function never has it as a variable, which everybody may read who may look at the function. */
  readonly secret?: true;
  /** The default is the name of a program, which the local cloud looks for on the machine. */
  readonly program?: true;
}

/** A statement of an IAM policy. `{region}` and other names are filled in as in `Setting.deployed`, and settings that are the user's. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Values by key by operator. */
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** Why a wildcard in the resources cannot be narrower; needed where there is one. */
  readonly why?: string;
}

/** What a provider asks for an engine's work. List prices of US East (N. Virginia); other regions differ. */
export interface Price {
  /** What is counted. */
  readonly per: 'minute' | 'million_characters' | 'picture';
  readonly usd: number;
  /** The page of the provider that decides. */
  readonly source: string;
}

/** The day for which `Price` holds, wherever an engine declares one. */
export const PRICES_AS_OF = '2026-11-22';

/** The part that is plain data. */
export interface EngineDeclaration {
  /** Unique within its capability: `ENGINE_<CAPABILITY>` may name it. */
  readonly name: string;
  readonly runs: readonly Place[];
  /** BCP 47 tags, or `any` where it is not tied to languages or finds out by itself. */
  readonly languages: readonly string[] | 'any';
  /** What it translates from and to ("en-es"), directly; absent where it goes from each of its languages to every other. */
  readonly pairs?: readonly string[];
  /** A sentence for people: what they can do to have more languages than these. */
  readonly moreLanguages?: string;
  readonly settings: Readonly<Record<string, Setting>>;
  /** What its provider asks; `null` where nobody asks anything, absent where it depends on what the user chooses. */
  readonly price?: Price | null;
  /** What a Lambda that calls a method of the port must be allowed to do, by the method. */
  readonly permissions: Readonly<Partial<Record<string, readonly Permission[]>>>;
  /** Of which quota of the provider a method of the port takes, by the method; absent where nobody has to wait for it. */
  readonly quotas?: Readonly<Partial<Record<string, ProviderQuotaName>>>;
}

type Methods<Port> = keyof Port & string;

/**
 * @typeParam Port what the engine does
 * @typeParam Context what it is given to do it, beside its settings
 * @typeParam Name the names of its settings
 */
export interface Engine<
  Port = unknown,
  Context = object,
  Name extends string = string,
  Made = Port | Promise<Port>,
> extends EngineDeclaration {
  readonly settings: Readonly<Record<Name, Setting>>;
  readonly permissions: Readonly<Partial<Record<Methods<Port>, readonly Permission[]>>>;
  readonly quotas?: Readonly<Partial<Record<Methods<Port>, ProviderQuotaName>>>;
  /**
   * Heavy packages of local engines are imported in here, since a declaration is read wherever a step starts. An AWS SDK
   * is imported as usual: in a bundle, a late import costs more than it saves (docs/decisions/0025).
   */
  make(context: Context & { readonly settings: Readonly<Record<Name, string>> }): Made;
}

/** Types the engines of a port, each with its own settings: `const transcriptionEngine = engineOf<…>()` in a `port.ts`. */
export const engineOf =
  <Port, Context = object>() =>
  <Name extends string, Made extends Port | Promise<Port>>(engine: Engine<Port, Context, Name, Made>) =>
    engine;

/** Whether an engine that declares these languages does that of a tag: regions and scripts are accents to it. */
export function covers(languages: EngineDeclaration['languages'], tag: string): boolean {
  return languages === 'any' || languages.some((one) => primarySubtag(one) === primarySubtag(tag));
}

/** "pt" of "pt-BR". */
export const primarySubtag = (tag: string): string => tag.split('-', 1)[0]!.toLowerCase();
