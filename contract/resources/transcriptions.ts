/** Transcriptions of an asset, and their subtitles. */
import Type from 'typebox';
import { defaulted, operation } from '../kit/operation.ts';
import { QcReport, qcProfiles, qcReportExample } from '../kit/qc-fields.ts';
import {
  AssetUuid,
  listed,
  Milliseconds,
  Nullable,
  Page,
  pageQuery,
  Strict,
  Timestamp,
  Uuid,
} from '../kit/schemas.ts';
import { assetParams } from './assets.ts';

const Confidence = Type.Number({ minimum: 0, maximum: 1 });

export const Word = Strict(
  {
    text: Type.String(),
    start_ms: Milliseconds('Start'),
    end_ms: Milliseconds('End'),
    confidence: Nullable(Confidence),
    doubtful: Type.Optional(
      Type.Boolean({
        description: 'Whether the engine is so unsure of the word that somebody should look at it',
      }),
    ),
    speaker: Type.Optional(Type.String()),
  },
  { $id: 'Word' },
);

const qcCodes = ['low_confidence', 'fast_speech', 'short_cue', 'late_cue', 'wide_line'] as const;

export const QcMark = Strict(
  {
    code: Type.Enum([...qcCodes], {
      description:
        'low_confidence: the engine doubts words of it; fast_speech: a cue of it is above the reading speed, because the speech is, or times were set that leave too little; short_cue: a cue of it is on screen for less than 5/6 s, because times were set that leave no more; late_cue: a cue of it is shown after it is said; wide_line: a line of it is wider than a subtitle',
    }),
    value: Type.Number({
      description:
        'What was found: the lowest confidence (0 to 1), characters a second, milliseconds, or columns (42 fill a line)',
    }),
    limit: Type.Number({ description: 'The limit that it is beyond, in the same unit' }),
    detail: Type.String({ description: 'For people' }),
  },
  { $id: 'QcMark' },
);

export const Segment = Strict(
  {
    segment_id: Uuid('Segment'),
    original_segment_id: Nullable(Uuid('Segment that this one translates')),
    start_ms: Milliseconds('Start'),
    end_ms: Milliseconds('End'),
    timing: Type.Enum(['automatic', 'set'], {
      description:
        'automatic: the times of speech, of which its subtitles borrow and lend silence; set: somebody said when it begins or ends, and its subtitles keep to that',
    }),
    text: Type.String(),
    speaker: Nullable(Type.String({ description: 'Speaker as the engine or the caller names it' })),
    speaker_id: Nullable(Uuid('Speaker of the asset')),
    confidence: Nullable(Confidence),
    words: Type.Array(Word),
    stale: Type.Optional(
      Type.Boolean({
        description:
          'True where a translated segment came of text, times or a speaker that changed since; absent otherwise. A person who edits it settles it',
      }),
    ),
    stale_reason: Type.Optional(
      Type.Enum(['text', 'placement', 'deleted'], {
        description:
          'Beside `stale`. text: the sentences that it is part of; placement: only the times or the speaker, which a retranslation takes over without touching the text; deleted: the original is gone, and a retranslation of its id removes this one',
      }),
    ),
    qc: Type.Array(QcMark, {
      description:
        'What to look at before the subtitles go out: at most one mark a code. Computed from the segments as they are, never stored',
    }),
  },
  { $id: 'Segment' },
);

export const segmentExample = {
  segment_id: '019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44',
  original_segment_id: null,
  start_ms: 1000,
  end_ms: 3200,
  timing: 'set' as const,
  text: 'Welcome to Kinora!',
  speaker: 'Ana Ruiz',
  speaker_id: '019a9d2e-11c0-7a44-9d5a-4b1f0a2c9e01',
  confidence: null,
  words: [],
  qc: [],
};

const transcriptionFields = {
  transcription_id: Uuid('Transcription'),
  asset_id: AssetUuid(),
  language_id: Uuid('Language'),
  source: Type.Enum(['transcribed', 'translated']),
  version: Type.Integer({ minimum: 1, description: 'Rises with every change of the segments' }),
  stale: Type.Boolean({ description: 'Whether the original changed after this was translated' }),
  segment_count: Type.Integer({ minimum: 0 }),
  created_at: Timestamp('When the transcription was created'),
  updated_at: Timestamp('When the transcription changed last'),
};

export const TranscriptionSummary = Strict(transcriptionFields, { $id: 'TranscriptionSummary' });
export const Transcription = Strict(
  {
    ...transcriptionFields,
    segments: Type.Array(Segment),
    page: Type.Optional(Type.Integer({ minimum: 1, description: 'Page number, where pages are asked for' })),
    items: Type.Optional(Type.Integer({ minimum: 1, description: 'Segments a page, likewise' })),
    next_cursor: Type.Optional(
      Nullable(Type.String({ description: 'Send as `cursor` for the next page, likewise' })),
    ),
  },
  { $id: 'Transcription' },
);

/** What speech of many hours asks of its readers. */
const ofLongOnes =
  'Send `Accept-Encoding: gzip`: the answer is compressed where it is large. One answer holds 6 MB as it is sent.';

const compressed = {
  'Content-Encoding': '`gzip`, where the answer is large and gzip is accepted',
  Vary: '`Accept-Encoding`, where the answer is large',
} as const;

export const transcriptionParams = Strict({
  asset_id: AssetUuid(),
  transcription_id: Uuid('Transcription'),
});

export const listTranscriptions = operation({
  id: 'listTranscriptions',
  method: 'GET',
  path: '/v1/assets/{asset_id}/transcriptions',
  summary: 'List the transcriptions of an asset, without their segments',
  description:
    'One a language: the transcribed one, and each translation of it. `version` rises with every edit; `stale` marks translations whose original was edited since.',
  scope: 'transcripts:read',
  params: assetParams,
  query: Strict({
    page: defaulted(pageQuery.page.type),
    items: defaulted(pageQuery.items.type),
    cursor: Type.Optional(pageQuery.cursor.type),
    stale: Type.Optional(
      Type.Boolean({ description: 'true: only translations that are stale; false: only what is not' }),
    ),
  }),
  responses: {
    200: {
      description: 'One page of transcriptions',
      body: Page(TranscriptionSummary, 'TranscriptionPage'),
      headers: listed,
    },
  },
  errors: ['resource_not_found', 'invalid_parameter', 'invalid_cursor'],
});

export const getTranscription = operation({
  id: 'getTranscription',
  method: 'GET',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}',
  summary: 'Get a transcription with its segments',
  description: `All segments, unless \`items\`, \`page\` or \`cursor\` asks for a page of them, which comes with a Link header (RFC 8288). ${ofLongOnes}`,
  scope: 'transcripts:read',
  params: transcriptionParams,
  query: Strict({
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: 'An earlier version; the newest when absent',
      }),
    ),
    // There is no default: it would ask every reader for pages.
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Page number' })),
    items: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Segments a page; 1000 where only the page is told',
      }),
    ),
    cursor: Type.Optional(pageQuery.cursor.type),
    qc: Type.Optional(
      Type.Enum([...qcCodes, 'any'], {
        description: 'Only the segments with this mark, or with any; `segment_count` still counts all',
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The transcription',
      body: Transcription,
      headers: {
        ETag: 'Its version, and that of the names of its speakers',
        ...compressed,
      },
    },
  },
  errors: ['resource_not_found', 'invalid_parameter', 'invalid_cursor', 'answer_too_large'],
});

export const getVtt = operation({
  id: 'getVtt',
  method: 'GET',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/vtt',
  summary: 'Get WebVTT subtitles',
  description: `The whole transcription. ${ofLongOnes}`,
  scope: 'transcripts:read',
  params: transcriptionParams,
  query: Strict({
    flavor: defaulted(
      Type.Enum(['standard', 'simplified'], {
        default: 'standard',
        description: 'standard names speakers and places cues; simplified has plain cues only',
      }),
    ),
    include_sound_descriptions: defaulted(
      Type.Boolean({ default: true, description: 'Whether to add cues such as [applause]' }),
    ),
  }),
  responses: {
    200: {
      description: 'The subtitles',
      text: {
        contentType: 'text/vtt; charset=utf-8',
        example: 'WEBVTT\n\n00:00:01.000 --> 00:00:03.200\n<v Speaker 1>Welcome to Kinora.\n',
      },
      headers: { ETag: 'Version of the transcription and of the options', ...compressed },
    },
  },
  errors: ['resource_not_found', 'invalid_parameter', 'answer_too_large'],
});

export const getSrt = operation({
  id: 'getSrt',
  method: 'GET',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/srt',
  summary: 'Get SubRip subtitles',
  description: `The whole transcription. SubRip has no escapes: where a text has what players take for markup, its signs become their likeness, \`<i>\` becomes \`‹i›\`, \`{…}\` becomes \`❴…❵\`, \`-->\` becomes \`→\`; WebVTT has them as they are. ${ofLongOnes}`,
  scope: 'transcripts:read',
  params: transcriptionParams,
  responses: {
    200: {
      description: 'The subtitles',
      text: {
        contentType: 'application/x-subrip; charset=utf-8',
        example: '1\n00:00:01,000 --> 00:00:03,200\nWelcome to Kinora.\n',
      },
      headers: { ETag: 'Version of the transcription', ...compressed },
    },
  },
  errors: ['resource_not_found', 'invalid_parameter', 'answer_too_large'],
});

export const getStl = operation({
  id: 'getStl',
  method: 'GET',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/stl',
  summary: 'Get EBU STL subtitles',
  description: `A binary file after EBU Tech 3264, for television: the whole transcription, laid out for its rows. Its code table follows from the language: Latin, Cyrillic, Arabic, Greek or Hebrew; 422 \`language_unsupported\` where none has its letters. What a table has not is written as the nearest it has, and named in \`Stl-Replaced\`. ${ofLongOnes}`,
  scope: 'transcripts:read',
  params: transcriptionParams,
  query: Strict({
    display_standard: defaulted(
      Type.Enum(['open', 'level1', 'level2'], {
        default: 'level1',
        description:
          'level1 and level2 are teletext, boxed, in double height and at most 37 characters a row, with speakers told apart by white, yellow, cyan and green (36 characters where there are several); open is for subtitles that are put into the picture, at most 42 a row',
      }),
    ),
    frame_rate: Type.Optional(
      Type.Integer({
        enum: [25, 30],
        description:
          'Frames a second of the time codes, of which the format has no others; when absent 25 for media of 25 and 50, and where the rate is not known, else 30',
      }),
    ),
    time_codes: defaulted(
      Type.Enum(['clock', 'non_drop'], {
        default: 'clock',
        description:
          'clock: they tell the time since the start, whatever the rate of the media; those of drop-frame masters differ by two frames at most. non_drop, at 30: they count the pictures of masters of 29.97 (30000/1001) that leave no number out, and are 3.6 s behind the clock after an hour. The format does not say which it is; masters of 23.976 and 24 have time codes that it cannot tell',
      }),
    ),
    start_timecode: Type.Optional(
      Type.String({
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][:;][0-2][0-9]$',
        description:
          "Time code of the programme's first picture, `hh:mm:ss:ff`, often `10:00:00:00`, or `hh:mm:ss;ff` of drop-frame; when absent that of the media, `start_timecode` of the asset, and `00:00:00:00` where they have none",
      }),
    ),
    include_sound_descriptions: defaulted(
      Type.Boolean({ default: true, description: 'Whether to add sounds such as [applause]' }),
    ),
  }),
  responses: {
    200: {
      description: 'The subtitles',
      bytes: { contentType: 'application/x-ebu-stl' },
      headers: {
        ETag: 'Version of the transcription, and of the file',
        'Stl-Replaced':
          'Where the code table lacks characters: each, with what is written `by` it and its `count`, as a list of RFC 9651: `"U+20AC";by="EUR";count=2`',
        ...compressed,
      },
    },
  },
  errors: ['resource_not_found', 'invalid_parameter', 'language_unsupported', 'answer_too_large'],
});

export const getQcReport = operation({
  id: 'getQcReport',
  method: 'GET',
  path: '/v1/assets/{asset_id}/transcriptions/{transcription_id}/qc',
  summary: 'Get a report on the quality of the subtitles',
  description:
    'Lays the subtitles out for a profile and holds every cue and segment against its limits, which are told with their sources. `passed` where nothing is beyond them. For `broadcast` an EBU STL file is written and read back. Computed from the segments as they are, never stored.',
  scope: 'transcripts:read',
  params: transcriptionParams,
  query: Strict({
    profile: defaulted(
      Type.Enum([...qcProfiles], {
        default: 'broadcast',
        description:
          'broadcast: teletext and EBU STL, after the BBC; web: after TED; netflix-like: after the Netflix Timed Text Style Guide',
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The report',
      body: QcReport,
      example: qcReportExample,
      headers: { ETag: 'Version of the transcription, of the profile and of the frame rate', ...compressed },
    },
  },
  errors: ['resource_not_found', 'invalid_parameter'],
  beyondSpec: true,
});
