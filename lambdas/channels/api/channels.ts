/** Channels. Passphrases are encrypted before they are stored, and are never returned. */
import * as contract from '../../../build/contract/channels.js';
import { pageOf } from '../../../platform/kernel/pages.ts';
import { requireReachable } from '../../../platform/kernel/reachable.ts';
import { created, noContent, ok } from '../../../platform/kernel/replies.ts';
import { resource } from '../../../platform/kernel/resource.ts';
import { Configuration, etagOf, type Place, type Stored } from '../../../platform/records/configuration.ts';
import { type Reference, requireReferences } from '../../../platform/records/references.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { tenantSecrets } from '../../../platform/runtime/secrets.ts';
import { externalIdKey } from '../../../platform/table/keys.ts';
import { NotImplemented, Problem } from '../../../shared/problems.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { type ChannelSource, requireFittingSource, schemes } from '../rules/channels.ts';

const services = (tenant: TenantId) => {
  const table = coreTable(tenant);
  return { table, channels: new Configuration(table, tenant) };
};

const place: Place = {
  type: 'channels',
  kind: 'channel',
  path: '/v1/channels',
  uses: ({ template_id, collection_id }) =>
    referencesOf({ template_id, collection_id } as Record<string, string | null>),
};

interface StoredChannel extends Stored {
  readonly name: string;
  readonly source: Pick<ChannelSource, 'protocol' | 'mode'> & { readonly url: string | null };
  readonly passphrase: object | null;
  readonly template_id: string | null;
  readonly collection_id: string | null;
  readonly language_id: string | null;
}

export const handler = resource(contract, services, {
  createChannel: async ({ body, tenant, now, newResourceId }, { table, channels }) => {
    const { name, source } = body;
    requireFittingSource(source);
    requireReachable(source.url, '/source/url', schemes[source.protocol]);
    const { protocol, mode, url = null, passphrase } = source;
    const references = {
      template_id: body.template_id ?? null,
      collection_id: body.collection_id ?? null,
      language_id: body.language_id ?? null,
    };
    const members = async () => {
      await requireReferences(table, tenant, referencesOf(references));
      const sealed =
        passphrase === undefined
          ? null
          : await tenantSecrets().seal(passphrase, { tenant, resource: newResourceId });
      return { name, source: { protocol, mode, url }, passphrase: sealed, ...references };
    };
    const channel = await channels.create(place, newResourceId, now, members);
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
    await channels.delete(place, params.channel_id, now, ifMatch);
    return noContent();
  },

  createChannelAsset: async ({ params, body, tenant }, { table, channels }) => {
    await channels.get(place, params.channel_id);
    const { external_id } = body;
    const isTaken =
      external_id !== undefined && (await table.get(externalIdKey(tenant, external_id))) !== null;
    if (isTaken) {
      const detail = `Another asset has the external_id ${JSON.stringify(external_id)}.`;
      throw new Problem('external_id_conflict', detail);
    }
    throw new NotImplemented(contract.createChannelAsset);
  },
});

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
