import Type from 'typebox';
import { Count, Milliseconds, Nullable, Strict, Uuid } from './schemas.ts';

export const qcProfiles = ['broadcast', 'web', 'netflix-like'] as const;

export const qcFindingCodes = [
  'reading_speed',
  'line_length',
  'line_count',
  'too_short',
  'too_long',
  'gap_too_small',
  'gap_flickers',
  'overlap',
  'late_cue',
  'fast_speech',
  'low_confidence',
  'untranslated',
  'shot_change',
  'not_in_stl',
  'lost_in_stl',
  'stl_round_trip',
  'frame_rate',
] as const;

const Code = Type.Enum([...qcFindingCodes], {
  description: [
    'Code, with the unit of its value. For cues:',
    '- reading_speed: characters per second',
    '- line_length: characters; line_count: lines after wrapping',
    '- too_short, too_long: ms',
    '- gap_too_small, gap_flickers: frames after the previous cue',
    '- overlap: ms, also with segments whose times were set',
    '- late_cue: ms after the speech; shot_change: frames from a cut',
    '- not_in_stl: characters that the code table replaces with the nearest one',
    '- lost_in_stl: characters that become a question mark',
    '- stl_round_trip: cues that differ when they are read back',
    '',
    'For segments:',
    '- fast_speech: characters per second; low_confidence: 0 to 1; overlap: ms',
    '- untranslated: ms of an original segment that the translation lacks',
    '',
    'For the whole:',
    '- frame_rate: frames per second of the media; EBU STL has 25 and 30',
  ].join('\n'),
});
const Severity = Type.Enum(['error', 'warning'], {
  description: 'error: beyond a limit of the profile; warning: a person should check it',
});
const Checked = Type.Enum(['checked', 'not_checked']);

export const QcFinding = Strict(
  {
    code: Code,
    severity: Severity,
    cue: Nullable(
      Type.Integer({
        minimum: 1,
        description:
          'Number of the cue in this layout, sounds not counted; null for a finding about a segment',
      }),
    ),
    segment_ids: Type.Array(Uuid('Segment'), {
      description:
        'Segments of the finding, for `untranslated` of the original; empty if it is about the whole',
    }),
    start_ms: Milliseconds('Start of the cue or segment'),
    end_ms: Milliseconds('End of it'),
    value: Type.Number({ description: 'Measured value, in the unit of the code' }),
    limit: Type.Number({ description: 'Limit that the value exceeds, in the same unit' }),
    detail: Type.String({ description: 'Message for people' }),
  },
  { $id: 'QcFinding' },
);

export const QcReport = Strict(
  {
    transcription_id: Uuid('Transcription'),
    version: Type.Integer({ minimum: 1, description: 'Version of the transcription' }),
    profile: Type.Enum([...qcProfiles]),
    sources: Type.Array(Type.String(), { description: 'Sources of the limits of the profile' }),
    frame_rate: Type.Number({ description: 'Frames per second that gaps are counted in' }),
    passed: Type.Boolean({ description: 'Whether there are no errors; true if there are no cues' }),
    cues: Type.Integer({ minimum: 0 }),
    segments: Type.Integer({ minimum: 0 }),
    errors: Type.Integer({ minimum: 0 }),
    warnings: Type.Integer({ minimum: 0 }),
    summary: Type.Array(
      Strict({
        code: Code,
        severity: Severity,
        count: Type.Integer({ minimum: 1 }),
        worst: Type.Number({ description: 'Value furthest beyond the limit' }),
        limit: Type.Number(),
      }),
      { description: 'Number of all findings by code and severity' },
    ),
    shot_changes: Strict({ status: Checked, detail: Type.String() }),
    stl: Strict({ status: Checked, detail: Type.String() }),
    findings: Type.Array(QcFinding, { description: 'The first 10,000 findings, by start' }),
    findings_left_out: Count('Number of findings that are left out'),
  },
  { $id: 'QcReport' },
);

export const qcReportExample = {
  transcription_id: '019a9d2d-5a10-7d0a-8f53-7c3f0b9e6f10',
  version: 3,
  profile: 'broadcast' as const,
  sources: ['BBC Subtitle Guidelines 1.2: §3.1 line length'],
  frame_rate: 25,
  passed: false,
  cues: 412,
  segments: 206,
  errors: 1,
  warnings: 0,
  summary: [{ code: 'reading_speed' as const, severity: 'error' as const, count: 1, worst: 23.4, limit: 18 }],
  shot_changes: { status: 'not_checked' as const, detail: 'The cuts of the media are unknown.' },
  stl: { status: 'checked' as const, detail: 'Written with the code table latin and read again.' },
  findings: [
    {
      code: 'reading_speed' as const,
      severity: 'error' as const,
      cue: 17,
      segment_ids: ['019a9d2d-5a1b-7e21-9c0f-2f6d1a0b3c44'],
      start_ms: 61_000,
      end_ms: 62_800,
      value: 23.4,
      limit: 18,
      detail: 'Cue 17 (1:01): the reading speed is 23.4 characters a second; the maximum is 18.',
    },
  ],
  findings_left_out: 0,
};
