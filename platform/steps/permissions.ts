/** Permissions of a function, as data. lib/shared/permissions.ts makes IAM statements of them. */
import type { Capability } from '../../engines/declarations.ts';
import type * as registry from '../../engines/registry.ts';

export type TableName = 'Core' | 'Auth' | 'Ephemeral';

/**
 * Actions on the items of a table. A transaction needs each of its actions, and `check` for conditions without a write.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
export type ItemAction = 'batchGet' | 'check' | 'delete' | 'get' | 'put' | 'query' | 'update';

/** `Upload` is the multipart upload whose parts callers send to upload URLs. */
export type MediaAccess = 'Read' | 'Write' | 'Upload' | 'Delete';

type MethodOf<C extends Capability> = (typeof registry)[C][number] extends infer E
  ? E extends { permissions: Readonly<Partial<Record<infer Method, unknown>>> }
    ? Method
    : never
  : never;

/** The methods that a function calls, by capability. With an empty list, the function calls only methods that need no permission. */
export type EngineUses = { readonly [C in Capability]?: readonly MethodOf<C>[] };

export interface Permissions {
  /** The actions on each table. The local cloud also refuses an action that is missing here (docs/decisions/0073). */
  readonly tables?: Readonly<Partial<Record<TableName, readonly ItemAction[]>>>;
  /** Whether the function also uses the operator's partitions of Core, such as the outbox. */
  readonly admin?: true;
  readonly media?: readonly MediaAccess[];
  readonly engines?: EngineUses;
}
