/** What a function may do, as data. lib/shared/permissions.ts makes the IAM statements of it. */
import type { Capability } from '../../engines/declarations.ts';
import type * as registry from '../../engines/registry.ts';

export type TableName = 'Core' | 'Auth' | 'Ephemeral';

export type TableAccess = 'read' | 'write';

/** `Upload` is the multipart upload whose parts callers send to upload URLs. */
export type MediaAccess = 'Read' | 'Write' | 'Upload' | 'Delete';

type MethodOf<C extends Capability> = (typeof registry)[C][number] extends infer E
  ? E extends { permissions: Readonly<Partial<Record<infer Method, unknown>>> }
    ? Method
    : never
  : never;

/** The methods that a function calls, by capability. An empty list: it calls only methods that need no permission. */
export type EngineUses = { readonly [C in Capability]?: readonly MethodOf<C>[] };

export interface Permissions {
  /** `write` includes `read`. Of either, a function gets what its code can reach (calls.json). */
  readonly tables?: Readonly<Partial<Record<TableName, TableAccess>>>;
  readonly media?: readonly MediaAccess[];
  readonly engines?: EngineUses;
}
