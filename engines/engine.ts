/** The declaration of an engine. Variables, policies, languages and the choice of engines are derived from declarations. */
import type { ProviderQuotaName } from './provider-quotas.ts';

/** Where an engine runs. `ENGINES` selects the engines of one place. */
export type Place = 'aws' | 'local';

/** An environment variable. It has the same name in the operator's settings and in the Lambda. */
export interface Setting {
  readonly description: string;
  readonly default?: string;
  /** The value in a deployment, with names such as `{media_bucket}`. If `deployed` and `default` are absent, the operator sets the value. */
  readonly deployed?: string;
  /** Set for a secret. A deployed function never gets a secret as a variable: users of the AWS account can read variables. */
  readonly secret?: true;
  /** Set if the value is the name or path of a program. The local cloud checks that the program is installed. */
  readonly program?: true;
}

/** A statement of an IAM policy. Placeholders in braces are replaced: `{region}`, the names of `Setting.deployed`, and the settings. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Conditions of the statement: operator → key → values. */
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** The reason for a wildcard in a resource. Required for each wildcard. */
  readonly why?: string;
}

/** The list price of the provider, in US East (N. Virginia). Other regions differ. */
export interface Price {
  readonly per: 'minute' | 'million_characters' | 'picture';
  readonly usd: number;
  readonly source: string;
}

/** All declared prices were valid on this day. */
export const PRICES_AS_OF = '2026-11-22';

/** The part of an engine that is plain data. */
export interface EngineDeclaration {
  /** Unique within its capability. `ENGINE_<CAPABILITY>` selects an engine by this name. */
  readonly name: string;
  readonly runs: readonly Place[];
  /** BCP 47 tags. `any`: the engine works for all languages, or its languages are known only at run time. */
  readonly languages: readonly string[] | 'any';
  /** The language pairs that the engine translates directly ("en-es"). Absent if it translates between all its languages. */
  readonly pairs?: readonly string[];
  /** A sentence for people about how to add languages. */
  readonly moreLanguages?: string;
  readonly settings: Readonly<Record<string, Setting>>;
  /** `null`: free. Absent: the price depends on the operator's choice, for example of a model. */
  readonly price?: Price | null;
  /** The maximum number of pictures that the engine compares for one asset after it found faces in all pictures. Each comparison is paid. */
  readonly compares?: number;
  readonly permissions: Readonly<Partial<Record<string, readonly Permission[]>>>;
  /** By method of the port: the provider's quota that limits the method. Absent if jobs never wait for a quota. */
  readonly quotas?: Readonly<Partial<Record<string, ProviderQuotaName>>>;
}

type Methods<Port> = keyof Port & string;

/** @typeParam Context values that `make` gets besides the settings @typeParam Name the names of the settings */
export interface Engine<
  Port = unknown,
  Context = object,
  Name extends string = string,
  Made = Port | Promise<Port>,
> extends EngineDeclaration {
  readonly settings: Readonly<Record<Name, Setting>>;
  readonly permissions: Readonly<Partial<Record<Methods<Port>, readonly Permission[]>>>;
  readonly quotas?: Readonly<Partial<Record<Methods<Port>, ProviderQuotaName>>>;
  /** Creates the engine. Imports heavy packages dynamically, because every step loads this file. For AWS SDKs, see docs/decisions/0025. */
  make(context: Context & { readonly settings: Readonly<Record<Name, string>> }): Made;
}

/** The members that a declaration may omit if the engine does not need them. */
type Optional = 'languages' | 'settings' | 'permissions';
type Undeclared<One extends EngineDeclaration> = Omit<One, Optional> & Partial<Pick<One, Optional>>;

/** Returns a function that checks the type of an engine against its port. Each `port.ts` exports such a function. */
export const engineOf =
  <Port, Context = object>() =>
  <Name extends string, Made extends Port | Promise<Port>>(
    engine: Undeclared<Engine<Port, Context, Name, Made>>,
  ) =>
    ({ languages: 'any', settings: {}, permissions: {}, ...engine }) as Engine<Port, Context, Name, Made>;

/** Returns true if the declared languages include the language of a tag. Regions and scripts are ignored. */
export function covers(languages: EngineDeclaration['languages'], tag: string): boolean {
  return languages === 'any' || languages.some((one) => primarySubtag(one) === primarySubtag(tag));
}

/** The primary subtag: "pt" of "pt-BR". */
export const primarySubtag = (tag: string): string => tag.split('-', 1).join('').toLowerCase();
