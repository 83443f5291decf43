/** Channels: live sources. Kinora records assets from them. */
import Type from 'typebox';
import { forms } from '../kit/forms.ts';
import { operation } from '../kit/operation.ts';
import { Body, found, Line, made, Nullable, pages, Strict, Timestamp, Url, Uuid } from '../kit/schemas.ts';
import { Asset, assetExample } from './assets.ts';

const Protocol = Type.Enum(['rtmp', 'srt', 'hls']);
const Mode = Type.Enum(['push', 'pull'], {
  description: 'push: the source sends to Kinora; pull: Kinora fetches from its address',
});
const Address = Type.String({
  maxLength: 2048,
  pattern: forms.liveAddress.pattern,
  description: 'Address to pull from: rtmp(s), srt or http(s), without credentials',
});

const references = {
  template_id: Uuid('Template of its assets'),
  collection_id: Uuid('Collection of its assets'),
  language_id: Uuid('Language that is spoken'),
};

const ChannelInput = Body(
  {
    name: Line('Name'),
    source: Body(
      {
        protocol: Protocol,
        mode: Mode,
        url: Type.Optional(Address),
        passphrase: Type.Optional(
          Type.String({
            minLength: 10,
            maxLength: 79,
            writeOnly: true,
            description: 'Passphrase of an SRT stream. It is stored encrypted and never shown',
          }),
        ),
      },
      { $id: 'ChannelSourceInput' },
    ),
    template_id: Type.Optional(references.template_id),
    collection_id: Type.Optional(references.collection_id),
    language_id: Type.Optional(references.language_id),
  },
  { $id: 'ChannelInput' },
);

const Channel = Strict(
  {
    channel_id: Uuid('Channel'),
    name: Type.String(),
    source: Strict(
      {
        protocol: Protocol,
        mode: Mode,
        url: Nullable(Type.String({ description: 'Address to pull from; null for push' })),
        has_passphrase: Type.Boolean(),
      },
      { $id: 'ChannelSource' },
    ),
    template_id: Nullable(references.template_id),
    collection_id: Nullable(references.collection_id),
    language_id: Nullable(references.language_id),
    status: Type.Enum(['idle', 'live'], { description: 'idle: nothing arrives from the source' }),
    playback_url: Nullable(Url('HLS playlist of the live stream; null while nothing arrives')),
    created_at: Timestamp('When the channel was created'),
    updated_at: Timestamp('When the channel changed last'),
  },
  { $id: 'Channel' },
);

const channelExample = {
  channel_id: '019a9d32-3c4d-7e5f-8a61-7c8d9e0f1a23',
  name: 'Studio 1',
  source: { protocol: 'srt', mode: 'pull', url: 'srt://studio.example:9000', has_passphrase: true },
  template_id: null,
  collection_id: null,
  language_id: null,
  status: 'idle',
  playback_url: null,
  created_at: '2026-11-21T09:55:00.000Z',
  updated_at: '2026-11-21T09:55:00.000Z',
};

export const createChannel = operation({
  route: 'POST /v1/channels',
  summary: 'Create a channel',
  description: 'pull needs `source.url` and push has none; hls can only be pulled; a passphrase is for srt.',
  scope: 'channels:write',
  body: ChannelInput,
  bodyExample: {
    name: 'Studio 1',
    source: { protocol: 'srt', mode: 'pull', url: 'srt://studio.example:9000', passphrase: 'correct horse' },
  },
  responses: made('channel', Channel, channelExample),
  errors: ['unknown_reference'],
});

export const listChannels = operation({
  route: 'GET /v1/channels',
  summary: 'List channels, newest first',
  description:
    'Passphrases are left out. 16 per page unless `items` says otherwise; follow the Link header or `next_cursor` to the end.',
  scope: 'channels:read',
  ...pages('One page of channels', Channel, 'ChannelPage'),
});

export const getChannel = operation({
  route: 'GET /v1/channels/{channel_id}',
  summary: 'Get a channel, with the address of its playback',
  description:
    '`playback_url` is null while nothing arrives. A passphrase is never shown: `has_passphrase` says whether one is set.',
  scope: 'channels:read',
  responses: found('channel', Channel, channelExample),
});

export const deleteChannel = operation({
  route: 'DELETE /v1/channels/{channel_id}',
  summary: 'Delete a channel',
  description: 'Assets that were recorded from it stay. Its passphrase is deleted with it.',
  scope: 'channels:write',
  responses: { 204: { description: 'Deleted' } },
  errors: ['precondition_failed', 'write_conflict'],
});

export const createChannelAsset = operation({
  route: 'POST /v1/channels/{channel_id}/assets',
  summary: 'Record an asset from a channel',
  description:
    'Records the stream from now until it ends, and processes it like an upload. The asset can be read at once.',
  scope: 'channels:write',
  body: Body(
    { external_id: Type.Optional(Line("Caller's own id, unique per tenant")) },
    { $id: 'ChannelAssetInput' },
  ),
  bodyExample: { external_id: 'show-2026-11-21' },
  bodyOptional: true,
  responses: made('asset', Asset, assetExample),
  errors: ['external_id_conflict'],
  planned: 'Live ingest',
});
