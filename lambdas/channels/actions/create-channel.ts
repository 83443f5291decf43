/** Creates a channel. Its passphrase is encrypted before it is stored. */
import { requireReachable } from '../../../platform/kernel/reachable.ts';
import type { Configuration, Place, Stored } from '../../../platform/records/configuration.ts';
import { type Reference, requireReferences } from '../../../platform/records/references.ts';
import { tenantSecrets } from '../../../platform/runtime/secrets.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { type ChannelSource, requireFittingSource, schemes } from '../rules/channels.ts';

export const place: Place = {
  type: 'channels',
  kind: 'channel',
  path: '/v1/channels',
  uses: ({ template_id, collection_id }) =>
    referencesOf({ template_id, collection_id } as Record<string, string | null>),
};

export interface StoredChannel extends Stored {
  readonly name: string;
  readonly source: Pick<ChannelSource, 'protocol' | 'mode'> & { readonly url: string | null };
  readonly passphrase: object | null;
  readonly template_id: string | null;
  readonly collection_id: string | null;
  readonly language_id: string | null;
}

interface NewChannel {
  readonly name: string;
  readonly source: ChannelSource;
  readonly template_id?: string | null | undefined;
  readonly collection_id?: string | null | undefined;
  readonly language_id?: string | null | undefined;
}

/** A repeat with the same resource id returns the same channel. */
export async function createChannel(
  { name, source, template_id = null, collection_id = null, language_id = null }: NewChannel,
  { tenant, now, newResourceId }: { tenant: TenantId; now: Date; newResourceId: string },
  { table, channels }: { table: TenantTable; channels: Configuration },
): Promise<Stored> {
  requireFittingSource(source);
  requireReachable(source.url, '/source/url', schemes[source.protocol]);
  const { protocol, mode, url = null, passphrase } = source;
  const references = { template_id, collection_id, language_id };
  const members = async () => {
    await requireReferences(table, tenant, referencesOf(references));
    const sealed =
      passphrase === undefined
        ? null
        : await tenantSecrets().seal(passphrase, { tenant, resource: newResourceId });
    return { name, source: { protocol, mode, url }, passphrase: sealed, ...references };
  };
  return channels.create(place, newResourceId, now, members);
}

function referencesOf(given: Readonly<Record<string, string | null>>): Reference[] {
  const targets = [
    ['template_id', 'templates', 'template'],
    ['collection_id', 'collections', 'collection'],
    ['language_id', 'languages', 'language'],
  ] as const;
  return targets.flatMap(([member, type, kind]) => {
    const id = given[member];
    return id === null || id === undefined ? [] : [{ pointer: `/${member}`, type, kind, id }];
  });
}
