/** Audio tracks of an asset: the original one, and those that voice over adds. */
import Type from 'typebox';
import { pageParameters } from '../kit/crud.ts';
import { operation } from '../kit/operation.ts';
import { AssetUuid, listed, Nullable, Page, pageExample, Strict, Timestamp, Uuid } from '../kit/schemas.ts';
import { assetParams } from './assets.ts';

const AudioTrack = Strict(
  {
    audio_track_id: Uuid('Audio track'),
    asset_id: AssetUuid(),
    language_id: Nullable(Uuid('Language that is spoken')),
    source: Type.Enum(['original', 'voice_over']),
    codec: Type.String({ description: 'As ffmpeg names it' }),
    channels: Type.Integer({ minimum: 1 }),
    sample_rate: Type.Integer({ minimum: 1, description: 'Samples a second' }),
    duration_ms: Type.Integer({ minimum: 0, description: 'Duration, milliseconds' }),
    size_bytes: Type.Integer({ minimum: 0 }),
    created_at: Timestamp('When the track was created'),
    updated_at: Timestamp('When the track changed last'),
  },
  { $id: 'AudioTrack' },
);

const trackExample = {
  audio_track_id: '019a9d2e-84ee-7d35-8c4f-3f705dab1e41',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  language_id: '8993a0fb-016d-5a01-81d7-1cebafdf70d7',
  source: 'original' as const,
  codec: 'aac',
  channels: 2,
  sample_rate: 48_000,
  duration_ms: 61_440,
  size_bytes: 983_040,
  created_at: '2026-11-21T09:32:00.000Z',
  updated_at: '2026-11-21T09:32:00.000Z',
};

const trackParams = Strict({ asset_id: AssetUuid(), audio_track_id: Uuid('Audio track') });

export const listAudioTracks = operation({
  id: 'listAudioTracks',
  method: 'GET',
  path: '/v1/assets/{asset_id}/audio_tracks',
  summary: 'List audio tracks, the original first',
  description:
    'The sound of the media as it was uploaded, and one track for each language that a voice over was made in.',
  scope: 'assets:read',
  params: assetParams,
  query: pageParameters,
  responses: {
    200: {
      description: 'One page of tracks',
      body: Page(AudioTrack, 'AudioTrackPage'),
      example: pageExample(trackExample),
      headers: listed,
    },
  },
  errors: ['resource_not_found', 'invalid_parameter', 'invalid_cursor'],
});

export const getAudioTrack = operation({
  id: 'getAudioTrack',
  method: 'GET',
  path: '/v1/assets/{asset_id}/audio_tracks/{audio_track_id}',
  summary: 'Get an audio track',
  description: 'Its codec, sample rate and size. To get the sound itself, ask for `download_url`.',
  scope: 'assets:read',
  params: trackParams,
  responses: {
    200: {
      description: 'The track',
      body: AudioTrack,
      example: trackExample,
      headers: { ETag: 'Version of the track' },
    },
  },
  errors: ['resource_not_found'],
});

export const getAudioTrackDownloadUrl = operation({
  id: 'getAudioTrackDownloadUrl',
  method: 'GET',
  path: '/v1/assets/{asset_id}/audio_tracks/{audio_track_id}/download_url',
  summary: 'Get an address to download an audio track from',
  description:
    'The address is presigned: anybody who has it can read the track for an hour, without a key. Ask again for another hour.',
  scope: 'assets:read',
  params: trackParams,
  responses: {
    200: {
      description: 'The address',
      body: Strict(
        {
          url: Type.String({ format: 'uri', description: 'GET the track here' }),
          expires_at: Timestamp('When the address stops working'),
        },
        { $id: 'Download' },
      ),
      example: {
        url: 'https://media.kinora.example/track.m4a?X-Amz-Signature=0',
        expires_at: '2026-11-21T10:32:00.000Z',
      },
    },
  },
  errors: ['resource_not_found'],
});
