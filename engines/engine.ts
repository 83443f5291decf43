/**
 * The declaration of an engine. From this, Kinora derives the environment and the policies of Lambdas, the languages of
 * the API, and the choice between engines. So all facts about an engine are in its own file.
 */

import type { ProviderQuotaName } from './provider-quotas.ts';

/** Where an engine runs. `ENGINES` selects the engines of one place. */
export type Place = 'aws' | 'local';

/** An environment variable. It has the same name in the operator's settings and in the Lambda. */
export interface Setting {
  readonly description: string;
  /** The value if the operator sets none. */
  readonly default?: string;
  /**
   * The value in a deployment. `lib/shared/engines.ts` replaces `{media_bucket}` and other names of resources. A setting without
   * this and without a default must be set by the operator: otherwise the engine is not used.
   */
  readonly deployed?: string;
  /**
   * A secret. A deployed function never gets it as a variable, because users of the AWS account can read variables of
   * functions.
   */
  readonly secret?: true;
  /** The value is the name or path of a program. The local cloud checks that the program is installed. */
  readonly program?: true;
}

/** A statement of an IAM policy. `{region}`, other names as in `Setting.deployed`, and names of settings are replaced. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Conditions of the statement: operator → key → values. */
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** Required if a resource has a wildcard: the reason why it cannot be narrower. */
  readonly why?: string;
}

/** The list price of the provider, in US East (N. Virginia). Other regions differ. */
export interface Price {
  /** The unit. */
  readonly per: 'minute' | 'million_characters' | 'picture';
  readonly usd: number;
  /** The provider's page with the price. */
  readonly source: string;
}

/** All declared prices were valid on this day. */
export const PRICES_AS_OF = '2026-11-22';

/** The part of an engine that is plain data. */
export interface EngineDeclaration {
  /** Unique within its capability. `ENGINE_<CAPABILITY>` selects an engine by this name. */
  readonly name: string;
  readonly runs: readonly Place[];
  /** BCP 47 tags. `any`: the engine does not depend on languages, or only knows its languages at run time. */
  readonly languages: readonly string[] | 'any';
  /** The language pairs of direct translation ("en-es"). Absent if the engine translates between all its languages. */
  readonly pairs?: readonly string[];
  /** A sentence for people: how to get more languages. */
  readonly moreLanguages?: string;
  readonly settings: Readonly<Record<string, Setting>>;
  /** `null`: free. Absent: the price depends on the operator's choice, for example of a model. */
  readonly price?: Price | null;
  /** The permissions that a Lambda needs to call a method of the port, by method. */
  readonly permissions: Readonly<Partial<Record<string, readonly Permission[]>>>;
  /** The quota of the provider that a method of the port uses, by method. Absent if jobs never wait for a quota. */
  readonly quotas?: Readonly<Partial<Record<string, ProviderQuotaName>>>;
}

type Methods<Port> = keyof Port & string;

/**
 * @typeParam Port the interface of the capability
 * @typeParam Context what `make` gets in addition to the settings
 * @typeParam Name the names of the settings
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
   * Imports heavy packages of local engines dynamically, because every step reads the declaration when it starts. AWS SDKs are
   * imported statically: in a bundle, a dynamic import costs more time than it saves (docs/decisions/0025).
   */
  make(context: Context & { readonly settings: Readonly<Record<Name, string>> }): Made;
}

/**
 * Returns a function that types the engines of a port. Each `port.ts` exports one.
 * @example
 * export const speechEngine = engineOf<SpeechEngine>();
 *
 * export const espeak = speechEngine({
 *   name: 'espeak-ng', runs: ['local'], languages: ['en', 'es'], price: null, permissions: {},
 *   settings: { ESPEAK_PATH: { description: 'Path or name of espeak-ng', default: 'espeak-ng', program: true } },
 *   make: ({ settings }) => speaker(settings.ESPEAK_PATH),
 * });
 */
export const engineOf =
  <Port, Context = object>() =>
  <Name extends string, Made extends Port | Promise<Port>>(engine: Engine<Port, Context, Name, Made>) =>
    engine;

/** Returns true if the declared languages include the language of a tag. Regions and scripts are ignored. */
export function covers(languages: EngineDeclaration['languages'], tag: string): boolean {
  return languages === 'any' || languages.some((one) => primarySubtag(one) === primarySubtag(tag));
}

/** The primary subtag: "pt" of "pt-BR". */
export const primarySubtag = (tag: string): string => tag.split('-', 1).join('').toLowerCase();
