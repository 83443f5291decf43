import type { Static } from 'typebox';
import type { Frozen } from '../../../contract/kit/operation.ts';
import type * as contract from '../../../contract/resources/channels.ts';
import { requireReachable } from '../../../platform/kernel/reachable.ts';
import type { Caller } from '../../../platform/kernel/resource.ts';
import type { Configuration, Place, Stored } from '../../../platform/records/configuration.ts';
import { referencesIn, requireReferences } from '../../../platform/records/references.ts';
import { tenantSecrets } from '../../../platform/runtime/secrets.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import { type ChannelSource, requireFittingSource, schemes } from '../rules/channels.ts';

export const place: Place = {
  type: 'channels',
  kind: 'channel',
  path: '/v1/channels',
  uses: (channel) => referencesIn(channel as Partial<StoredChannel>, ['template_id', 'collection_id']),
};

export interface StoredChannel extends Stored {
  readonly name: string;
  readonly source: Pick<ChannelSource, 'protocol' | 'mode'> & { readonly url: string | null };
  readonly passphrase: object | null;
  readonly template_id: string | null;
  readonly collection_id: string | null;
  readonly language_id: string | null;
}

type NewChannel = Frozen<Static<typeof contract.createChannel.body>>;

/** Encrypts the passphrase before it is stored. A repeat with the same resource id returns the same channel. */
export async function createChannel(
  { name, source, ...given }: NewChannel,
  { tenant, now, newResourceId }: Pick<Caller, 'tenant' | 'now' | 'newResourceId'>,
  { table, channels }: { table: TenantTable; channels: Configuration },
): Promise<Stored> {
  requireFittingSource(source);
  requireReachable(source.url, '/source/url', schemes[source.protocol]);
  const { protocol, mode, url = null, passphrase } = source;
  const { template_id, collection_id, language_id } = given;
  const references = {
    template_id: template_id ?? null,
    collection_id: collection_id ?? null,
    language_id: language_id ?? null,
  };
  const members = async () => {
    const used = referencesIn(references, ['template_id', 'collection_id', 'language_id']);
    await requireReferences(table, tenant, used);
    const sealed =
      passphrase === undefined
        ? null
        : await tenantSecrets().seal(passphrase, { tenant, resource: newResourceId });
    return { name, source: { protocol, mode, url }, passphrase: sealed, ...references };
  };
  return channels.create(place, newResourceId, { now, members });
}
