/** Audio tracks of an asset: those that voice over makes, how they fit, and the videos with them. */
import Type from 'typebox';
import { pageParameters } from '../kit/crud.ts';
import { operation } from '../kit/operation.ts';
import {
  AssetUuid,
  listed,
  Milliseconds,
  Nullable,
  Page,
  pageExample,
  Strict,
  Timestamp,
  Uuid,
} from '../kit/schemas.ts';
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
    stale: Type.Boolean({
      description:
        'Of a voice over: its translation is another now, so that a voice over job makes a new version',
    }),
    video: Nullable(
      Strict(
        {
          media_type: Type.String({ examples: ['video/mp4'] }),
          size_bytes: Type.Integer({ minimum: 0 }),
        },
        { $id: 'MuxedVideo', description: 'The video with this track, where its job was to `mux` it' },
      ),
    ),
    created_at: Timestamp('When the track was created'),
    updated_at: Timestamp('When the track changed last'),
  },
  { $id: 'AudioTrack' },
);

const FittedSegment = Strict(
  {
    segment_id: Uuid('Segment of the translation'),
    original_segment_id: Nullable(Uuid('The segment that it translates')),
    start_ms: Milliseconds('Where it begins'),
    slot_ms: Milliseconds('How long the original is spoken'),
    spoken_ms: Milliseconds('How long it is spoken here'),
    rate: Type.Number({ description: 'How fast the voice speaks; 1 is its own pace' }),
    tempo: Type.Number({
      description: 'How much faster the speech was made afterwards; 1 leaves it as it is',
    }),
    borrowed_ms: Milliseconds('Of the silence after its slot'),
    overflow_ms: Milliseconds('What goes beyond slot and silence'),
    drift_ms: Milliseconds('How much later than its slot it ends'),
    late_ms: Milliseconds('By how much it begins later than its slot, since the segment before overflowed'),
    cut_ms: Milliseconds(
      'How much of its end is faded out, since it would have kept the next waiting for too long',
    ),
    voice: Type.String({ description: 'Voice, as the engine names it' }),
  },
  { $id: 'FittedSegment' },
);

const FitReport = Strict(
  {
    audio_track_id: Uuid('Audio track'),
    language_id: Uuid('Language that is spoken'),
    transcription_id: Uuid('Translation that is spoken'),
    transcription_version: Type.Integer({ minimum: 1, description: 'Its version' }),
    integrated_lufs: Nullable(
      Type.Number({
        description: 'Loudness of the whole, EBU R 128; null where too little is heard to measure',
      }),
    ),
    true_peak_dbtp: Nullable(Type.Number({ description: 'Highest true peak, dB' })),
    synthesised: Type.Integer({ minimum: 0, description: 'Segments that the last job spoke' }),
    kept: Type.Integer({ minimum: 0, description: 'Segments whose speech an earlier job had made' }),
    segments: Type.Array(FittedSegment),
  },
  { $id: 'FitReport' },
);

const trackExample = {
  audio_track_id: '019a9d2e-84ee-7d35-8c4f-3f705dab1e42',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90',
  source: 'voice_over' as const,
  codec: 'aac',
  channels: 2,
  sample_rate: 48_000,
  duration_ms: 61_440,
  size_bytes: 983_040,
  stale: false,
  video: null,
  created_at: '2026-11-21T09:32:00.000Z',
  updated_at: '2026-11-21T09:32:00.000Z',
};

const fitExample = {
  audio_track_id: '019a9d2e-84ee-7d35-8c4f-3f705dab1e42',
  language_id: '1b9c6d27-9a4f-5e0b-8a64-0c5d2f1e7a90',
  transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f11',
  transcription_version: 2,
  integrated_lufs: -23,
  true_peak_dbtp: -4.1,
  synthesised: 1,
  kept: 24,
  segments: [
    {
      segment_id: '019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c45',
      original_segment_id: '019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44',
      start_ms: 210,
      slot_ms: 2450,
      spoken_ms: 2610,
      rate: 1.5,
      tempo: 1.06,
      borrowed_ms: 160,
      overflow_ms: 0,
      drift_ms: 160,
      late_ms: 0,
      cut_ms: 0,
      voice: 'f2',
    },
  ],
};

const Download = Strict(
  {
    url: Type.String({ format: 'uri', description: 'GET the file here' }),
    expires_at: Timestamp('When the address stops working'),
  },
  { $id: 'Download' },
);

const trackParams = Strict({ asset_id: AssetUuid(), audio_track_id: Uuid('Audio track') });

export const listAudioTracks = operation({
  id: 'listAudioTracks',
  method: 'GET',
  path: '/v1/assets/{asset_id}/audio_tracks',
  summary: 'List audio tracks',
  description:
    'One track for each language that a voice over was made in, in the order in which they were first made. The sound of ' +
    'the media as it was uploaded is to come first; no step makes a track of it yet.',
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
  description:
    'Its codec, sample rate and size. To get the sound itself, ask for `download_url`; `fit` says how a voice over fits.',
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

const addressOf = (file: string) => ({
  200: {
    description: 'The address',
    body: Download,
    example: {
      url: `https://media.kinora.example/${file}?X-Amz-Signature=0`,
      expires_at: '2026-11-21T10:32:00.000Z',
    },
  },
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
  responses: addressOf('track.m4a'),
  errors: ['resource_not_found'],
});

export const getAudioTrackFit = operation({
  id: 'getAudioTrackFit',
  method: 'GET',
  path: '/v1/assets/{asset_id}/audio_tracks/{audio_track_id}/fit',
  summary: 'Get the fit report of a voice over',
  description:
    'How each segment was fitted to its slot, the time that the original is spoken: first by a faster pace of the voice, ' +
    'then by a higher tempo, then with silence from after it. What still does not fit says so in `overflow_ms`. And how ' +
    'loud the track is.',
  scope: 'assets:read',
  params: trackParams,
  responses: {
    200: {
      description: 'The report',
      body: FitReport,
      example: fitExample,
      headers: { ETag: 'Version of the track' },
    },
  },
  errors: ['resource_not_found', 'invalid_state', 'answer_too_large'],
  beyondSpec: true,
});

export const getAudioTrackVideoDownloadUrl = operation({
  id: 'getAudioTrackVideoDownloadUrl',
  method: 'GET',
  path: '/v1/assets/{asset_id}/audio_tracks/{audio_track_id}/video_download_url',
  summary: 'Get an address to download the video with a voice over from',
  description:
    'For tracks whose voice over job was to `mux` them: the video with the voice over as its first audio track and the ' +
    'original sound behind it; its picture is that of the upload, to the bit. The address is presigned, for an hour.',
  scope: 'assets:read',
  params: trackParams,
  responses: addressOf('video.mp4'),
  errors: ['resource_not_found', 'invalid_state'],
  beyondSpec: true,
});
