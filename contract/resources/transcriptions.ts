import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import { QcReport, qcProfiles, qcReportExample } from '../kit/qc-fields.ts';
import {
  AssetUuid,
  Count,
  defaulted,
  Milliseconds,
  Nullable,
  pageParameters,
  pages,
  Strict,
  Timestamp,
  Uuid,
} from '../kit/schemas.ts';
import { stlOptions, vttOptions } from '../kit/subtitle-options.ts';

const Confidence = Type.Number({ minimum: 0, maximum: 1 });

export const Word = Strict(
  {
    text: Type.String(),
    start_ms: Milliseconds('Start'),
    end_ms: Milliseconds('End'),
    confidence: Nullable(Confidence),
    doubtful: Type.Optional(
      Type.Boolean({
        description: 'Whether the engine is so uncertain about the word that a person should check it',
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
      description: [
        'Code of the mark:',
        '- low_confidence: the engine is uncertain about words',
        '- fast_speech: a cue exceeds the reading speed, because the speech is fast or set times are too short',
        '- short_cue: set times show a cue for less than 5/6 s',
        '- late_cue: a cue is shown after it is said',
        '- wide_line: a line is wider than a subtitle',
      ].join('\n'),
    }),
    value: Type.Number({
      description:
        'Measured value: lowest confidence (0 to 1), characters per second, milliseconds, or columns (42 fill a line)',
    }),
    limit: Type.Number({ description: 'Limit that the value exceeds, in the same unit' }),
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
        'automatic: the times are those of the speech, and its subtitles may use the silence around it; set: a person set the start or the end, and its subtitles keep it',
    }),
    text: Type.String(),
    speaker: Nullable(Type.String({ description: 'Name of the speaker, from the engine or a caller' })),
    speaker_id: Nullable(Uuid('Speaker of the asset')),
    confidence: Nullable(Confidence),
    words: Type.Array(Word),
    stale: Type.Optional(
      Type.Boolean({
        description:
          'True if the text, times or speaker of the original changed after the segment was translated; absent otherwise. Editing the segment removes it',
      }),
    ),
    stale_reason: Type.Optional(
      Type.Enum(['text', 'placement', 'deleted'], {
        description:
          'Reason of `stale`. text: its sentences changed; placement: only the times or the speaker changed, and a retranslation updates them without changing the text; deleted: the original was deleted, and a retranslation of its id removes this segment',
      }),
    ),
    qc: Type.Array(QcMark, {
      description:
        'Marks to check before publishing the subtitles: at most one for each code. Computed from the current segments, never stored',
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

const MissingSegment = Strict(
  {
    original_segment_id: Uuid('Segment of the original'),
    start_ms: Milliseconds('Start'),
    end_ms: Milliseconds('End'),
  },
  { $id: 'MissingSegment' },
);

/** Original segments that a translation lacks. */
export const MissingSegments = (description: string) => Type.Array(MissingSegment, { description });

const transcriptionFields = {
  transcription_id: Uuid('Transcription'),
  asset_id: AssetUuid(),
  language_id: Uuid('Language'),
  source: Type.Enum(['transcribed', 'translated']),
  version: Type.Integer({ minimum: 1, description: 'Increases with every change of the segments' }),
  stale: Type.Boolean({
    description:
      'Whether the original changed after this was translated, or has segments without a translation',
  }),
  segment_count: Type.Integer({ minimum: 0 }),
  created_at: Timestamp('When the transcription was created'),
  updated_at: Timestamp('When the transcription changed last'),
};

export const TranscriptionSummary = Strict(transcriptionFields, { $id: 'TranscriptionSummary' });
export const Transcription = Strict(
  {
    ...transcriptionFields,
    segments: Type.Array(Segment),
    missing_count: Type.Optional(
      Count(
        'Only in translations: number of original segments without a translation, whose translation no person deleted',
      ),
    ),
    missing: Type.Optional(
      MissingSegments('The first 1,000 of them. A partial retranslation of their ids translates them'),
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Page number, if the request asked for a page' }),
    ),
    items: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Segments per page, if the request asked for a page' }),
    ),
    next_cursor: Type.Optional(Nullable(Type.String({ description: 'Send as `cursor` for the next page' }))),
  },
  { $id: 'Transcription' },
);

const ofLongOnes =
  'Send `Accept-Encoding: gzip`: large answers are then compressed. An answer can have at most 6 MB after compression.';

const compressed = {
  'Content-Encoding': '`gzip`, if the answer is large and gzip is accepted',
  Vary: '`Accept-Encoding`, if the answer is large',
} as const;

export const listTranscriptions = operation({
  route: 'GET /v1/assets/{asset_id}/transcriptions',
  summary: 'List the transcriptions of an asset, without their segments',
  description:
    'One for each language: the original and its translations. `version` increases with every edit; `stale` marks translations whose original was edited after the translation.',
  scope: 'transcripts:read',
  ...pages('One page of transcriptions', TranscriptionSummary, 'TranscriptionPage'),
  query: Strict({
    ...pageParameters.properties,
    stale: Type.Optional(
      Type.Boolean({
        description: 'true: only stale translations; false: only transcriptions that are not stale',
      }),
    ),
  }),
});

export const getTranscription = operation({
  route: 'GET /v1/assets/{asset_id}/transcriptions/{transcription_id}',
  summary: 'Get a transcription with its segments',
  description: `All segments, or one page of them with a Link header (RFC 8288) if \`items\`, \`page\` or \`cursor\` is given. ${ofLongOnes}`,
  scope: 'transcripts:read',
  query: Strict({
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: 'An earlier version; the newest by default',
      }),
    ),
    // Has no default, because a default would divide every answer into pages.
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Page number' })),
    items: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Segments per page; 1000 if only `page` or `cursor` is given',
      }),
    ),
    cursor: pageParameters.properties.cursor,
    qc: Type.Optional(
      Type.Enum([...qcCodes, 'any'], {
        description: 'Only segments with this mark, or with any mark; `segment_count` still counts all',
      }),
    ),
  }),
  responses: {
    200: {
      description: 'The transcription',
      body: Transcription,
      headers: {
        ETag: 'Version of the transcription and of the names of its speakers',
        ...compressed,
      },
    },
  },
  errors: ['answer_too_large'],
});

export const getVtt = operation({
  route: 'GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/vtt',
  summary: 'Get WebVTT subtitles',
  description: `The whole transcription. ${ofLongOnes}`,
  scope: 'transcripts:read',
  query: Strict(vttOptions),
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
  errors: ['answer_too_large'],
});

export const getSrt = operation({
  route: 'GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/srt',
  summary: 'Get SubRip subtitles',
  description: `The whole transcription. SubRip has no escapes, so markup characters are replaced with look-alikes: \`<i>\` becomes \`‹i›\`, \`{…}\` becomes \`❴…❵\`, \`-->\` becomes \`→\`; WebVTT keeps them. ${ofLongOnes}`,
  scope: 'transcripts:read',
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
  errors: ['answer_too_large'],
});

export const getStl = operation({
  route: 'GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/stl',
  summary: 'Get EBU STL subtitles',
  description: `A binary file as EBU Tech 3264 defines it, for television: the whole transcription, laid out in its rows. The language selects the code table: Latin, Cyrillic, Arabic, Greek or Hebrew. If no table has the letters of the language, the answer is 422 \`language_unsupported\`. A character that the table lacks is replaced with the nearest one, and \`Stl-Replaced\` lists it. ${ofLongOnes}`,
  scope: 'transcripts:read',
  query: Strict(stlOptions),
  responses: {
    200: {
      description: 'The subtitles',
      bytes: { contentType: 'application/x-ebu-stl' },
      headers: {
        ETag: 'Version of the transcription and of the file',
        'Stl-Replaced':
          'Characters that the code table lacks, each with its replacement (`by`) and its `count`, as a list of RFC 9651: `"U+20AC";by="EUR";count=2`',
        ...compressed,
      },
    },
  },
  errors: ['language_unsupported', 'answer_too_large'],
});

export const getQcReport = operation({
  route: 'GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/qc',
  summary: 'Get a quality report of the subtitles',
  description:
    'Checks every cue and segment against the limits of a profile; `sources` names where the limits come from. `passed` is true if there are no errors. For `broadcast`, an EBU STL file is written and read back. Computed from the current segments, never stored.',
  scope: 'transcripts:read',
  query: Strict({
    profile: defaulted(
      Type.Enum([...qcProfiles], {
        default: 'broadcast',
        description:
          'broadcast: teletext and EBU STL, with the limits of the BBC; web: those of TED; netflix-like: those of the Netflix Timed Text Style Guide',
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
  beyondSpec: true,
});
