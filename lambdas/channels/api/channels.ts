import * as contract from '../../../build/contract/channels.js';
import { created, noContent, ok, pageOf } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { Configuration, etagOf, type Stored } from '../../../platform/records/configuration.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { externalIdKey } from '../../../platform/table/keys.ts';
import type { TenantTable } from '../../../platform/table/tenant-table.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { NotImplemented, Problem } from '../../../shared/problems.ts';
import { createChannel, place, type StoredChannel } from '../actions/create-channel.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return { table, channels: new Configuration(table, tenant) };
};

export const handler = resource(contract, services, {
  createChannel: async ({ body, tenant, now, newResourceId }, { table, channels }) => {
    const channel = await createChannel(body, { tenant, now, newResourceId }, { table, channels });
    return created(view(channel), `/v1/channels/${channel.id}`, etagOf(channel));
  },

  listChannels: ({ query }, { channels }) =>
    pageOf(query, {
      path: '/v1/channels',
      filters: ['channels'],
      find: (position, size) => channels.page(place, position, size),
      read: async (ids) => (await channels.getMany(place, ids)).map(view),
    }),

  getChannel: async ({ params }, { channels }) => {
    const channel = await channels.get(place, params.channel_id);
    return ok(view(channel), etagOf(channel));
  },

  deleteChannel: async ({ params, now, ifMatch }, { channels }) => {
    await channels.delete(place, params.channel_id, { now, ifMatch });
    return noContent();
  },

  createChannelAsset: async ({ params, body, tenant }, { table, channels }) => {
    await channels.get(place, params.channel_id);
    await requireFreeExternalId(body.external_id, tenant, table);
    throw new NotImplemented(contract.createChannelAsset);
  },
});

async function requireFreeExternalId(id: string | undefined, tenant: TenantId, table: TenantTable) {
  if (id === undefined || (await table.get(externalIdKey(tenant, id))) === null) return;
  throw new Problem('external_id_conflict', `Another asset has the external_id ${JSON.stringify(id)}.`);
}

function view(stored: Stored) {
  const { id, name, source, passphrase, ...channel } = stored as StoredChannel;
  return {
    channel_id: id,
    name,
    source: {
      protocol: source.protocol,
      mode: source.mode,
      url: source.url,
      has_passphrase: passphrase !== null,
    },
    template_id: channel.template_id,
    collection_id: channel.collection_id,
    language_id: channel.language_id,
    status: 'idle' as const,
    playback_url: null,
    created_at: channel.created_at,
    updated_at: channel.updated_at,
  };
}
