/** Audio tracks of an asset: the results of voice over, their fit reports, and videos with these tracks. */
import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import {
  AssetUuid,
  Count,
  found,
  Milliseconds,
  Nullable,
  pages,
  Strict,
  shown,
  Timestamp,
  Url,
  Uuid,
} from '../kit/schemas.ts';
import { MissingSegments } from './transcriptions.ts';

const AudioTrack = Strict(
  {
    audio_track_id: Uuid('Audio track'),
    asset_id: AssetUuid(),
    language_id: Nullable(Uuid('Language that is spoken')),
    source: Type.Enum(['original', 'voice_over']),
    codec: Type.String({ description: 'Name of the codec in ffmpeg' }),
    channels: Type.Integer({ minimum: 1 }),
    sample_rate: Type.Integer({ minimum: 1, description: 'Samples a second' }),
    duration_ms: Count('Duration, milliseconds'),
    size_bytes: Type.Integer({ minimum: 0 }),
    stale: Type.Boolean({
      description:
        'Whether the translation changed after the voice over was made: a voice over job makes a new version',
    }),
    video: Nullable(
      Strict(
        {
          media_type: Type.String({ examples: ['video/mp4'] }),
          size_bytes: Type.Integer({ minimum: 0 }),
        },
        { $id: 'MuxedVideo', description: 'The video with this track, if the job had `mux`' },
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
    slot_ms: Milliseconds('Duration of the original speech'),
    spoken_ms: Milliseconds('Duration of the speech in this track'),
    rate: Type.Number({ description: 'Pace of the voice; 1 is its normal pace' }),
    tempo: Type.Number({
      description: 'Factor by which the finished speech was sped up; 1 is unchanged',
    }),
    borrowed_ms: Milliseconds('Time taken from the silence after its slot'),
    overflow_ms: Milliseconds('Time beyond its slot and the silence'),
    drift_ms: Milliseconds('Delay of its end after the end of its slot'),
    late_ms: Milliseconds('Delay of its start, because the segment before overflowed'),
    cut_ms: Milliseconds('Time faded out at its end, because it would delay the next segment too much'),
    voice: Type.String({ description: 'Name of the voice in the engine' }),
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
        description: 'Integrated loudness (EBU R 128), LUFS; null if the track is too silent to measure',
      }),
    ),
    true_peak_dbtp: Nullable(Type.Number({ description: 'Highest true peak, dB' })),
    synthesised: Count('Segments that the last job spoke'),
    kept: Count('Segments whose speech an earlier job made'),
    segments: Type.Array(FittedSegment),
    missing: MissingSegments(
      'Segments of the original that the track does not speak, because they had no translation',
    ),
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
  missing: [],
};

const Download = Strict(
  {
    url: Url('URL of the file'),
    expires_at: Timestamp('When the URL stops working'),
  },
  { $id: 'Download' },
);

export const listAudioTracks = operation({
  route: 'GET /v1/assets/{asset_id}/audio_tracks',
  summary: 'List audio tracks',
  description:
    'One track for each language with a voice over, oldest first. The original sound of the media is not a track yet.',
  scope: 'assets:read',
  ...pages('One page of tracks', AudioTrack, 'AudioTrackPage', trackExample),
});

export const getAudioTrack = operation({
  route: 'GET /v1/assets/{asset_id}/audio_tracks/{audio_track_id}',
  summary: 'Get an audio track',
  description:
    'Codec, sample rate and size of the track. `download_url` has the sound; `fit` reports how well a voice over fits.',
  scope: 'assets:read',
  responses: found('track', AudioTrack, trackExample),
});

const addressOf = (file: string) =>
  shown('The address', Download, {
    url: `https://media.kinora.example/${file}?X-Amz-Signature=0`,
    expires_at: '2026-11-21T10:32:00.000Z',
  });

export const getAudioTrackDownloadUrl = operation({
  route: 'GET /v1/assets/{asset_id}/audio_tracks/{audio_track_id}/download_url',
  summary: 'Get the download URL of an audio track',
  description:
    'The presigned URL works for one hour. Anyone with the URL can read the track, without an API key.',
  scope: 'assets:read',
  responses: addressOf('track.m4a'),
});

export const getAudioTrackFit = operation({
  route: 'GET /v1/assets/{asset_id}/audio_tracks/{audio_track_id}/fit',
  summary: 'Get the fit report of a voice over',
  description:
    'How each segment was fitted into its slot, the time of the original speech: first by a faster pace of the voice, ' +
    'then by a higher tempo, then with silence after the slot. `overflow_ms` is the time that still does not fit. The report also has the ' +
    'loudness of the track.',
  scope: 'assets:read',
  responses: found('report', FitReport, fitExample, 'Version of the track'),
  errors: ['invalid_state', 'answer_too_large'],
  beyondSpec: true,
});

export const getAudioTrackVideoDownloadUrl = operation({
  route: 'GET /v1/assets/{asset_id}/audio_tracks/{audio_track_id}/video_download_url',
  summary: 'Get the download URL of the video with a voice over',
  description:
    'For tracks of voice over jobs with `mux`. The video has the voice over as its first audio track and the ' +
    'original sound as its second. The picture is an exact copy of the upload. The presigned URL works for one hour.',
  scope: 'assets:read',
  responses: addressOf('video.mp4'),
  errors: ['invalid_state'],
  beyondSpec: true,
});
