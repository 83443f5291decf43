import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { problems } from '../../contract/errors.ts';
import { operations } from '../../contract/index.ts';
import { formats, withoutNames } from '../../scripts/contract-plugin.ts';
import { openApiDocument, problemCodesOf } from '../../scripts/openapi/document.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false, formats });
const check = (schema: unknown, value: unknown) => {
  const isValid = ajv.compile(withoutNames(schema) as object);
  return isValid(value) ? [] : isValid.errors;
};

/** Rows of the specification's tables that are served so far. */
const specified = [
  'POST /v1/assets',
  'GET /v1/assets',
  'GET /v1/assets/{asset_id}',
  'DELETE /v1/assets/{asset_id}',
  'GET /v1/external/assets/{external_id}',
  'POST /v1/assets/{asset_id}/start_upload',
  'POST /v1/assets/{asset_id}/finish_upload',
  'GET /v1/assets/{asset_id}/transcriptions',
  'GET /v1/assets/{asset_id}/transcriptions/{transcription_id}',
  'GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/vtt',
  'GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/srt',
  'GET /v1/languages',
  'GET /v1/languages/{language_id}',
  'POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments',
  'PATCH /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments',
  'PATCH /v1/assets/{asset_id}/transcriptions/{transcription_id}/segments/{segment_id}',
  'POST /v1/assets/{asset_id}/speakers',
  'PATCH /v1/assets/{asset_id}/speakers/{speaker_id}',
  'DELETE /v1/assets/{asset_id}/speakers/{speaker_id}',
  'GET /v1/assets/{asset_id}/metadata',
  'GET /v1/assets/{asset_id}/metadata/{metadata_id}',
  'GET /v1/assets/{asset_id}/audio_tracks',
  'GET /v1/assets/{asset_id}/audio_tracks/{audio_track_id}',
  'GET /v1/assets/{asset_id}/audio_tracks/{audio_track_id}/download_url',
  'GET /v1/assets/{asset_id}/sound_descriptions',
  'GET /v1/assets/{asset_id}/sound_descriptions/{description_id}',
  'DELETE /v1/assets/{asset_id}/sound_descriptions/{description_id}',
  'GET /v1/assets/{asset_id}/camera_shoots',
  'GET /v1/assets/{asset_id}/faces',
  'GET /v1/assets/{asset_id}/autocenter',
  'GET /v1/assets/{asset_id}/centers_of_interest',
  'POST /v1/assets/{asset_id}/centers_of_interest',
  'DELETE /v1/assets/{asset_id}/centers_of_interest/{coi_id}',
  'POST /v1/assets/{asset_id}/translation_jobs',
  'GET /v1/assets/{asset_id}/translation_jobs/{job_id}',
  'POST /v1/assets/{asset_id}/process_voice_over_jobs',
  'GET /v1/assets/{asset_id}/process_voice_over_jobs',
  'GET /v1/assets/{asset_id}/process_voice_over_jobs/{job_id}',
  'POST /v1/assets/{asset_id}/partial_retranslation_jobs',
  'GET /v1/assets/{asset_id}/partial_retranslation_jobs/{job_id}',
  'GET /v1/assets/{asset_id}/transcriptions/{transcription_id}/stl',
  'POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/vtt/export',
  'POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/srt/export',
  'POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/stl/export',
  'POST /v1/assets/{asset_id}/transcriptions/{transcription_id}/json/export',
  'POST /v1/assets/{asset_id}/metadata/{metadata_id}/json/export',
  'POST /v1/nl_search',
  'POST /v1/assets/{asset_id}/video_clips',
  'GET /v1/assets/{asset_id}/video_clips',
  'GET /v1/assets/{asset_id}/video_clips/{video_id}',
  'POST /v1/assets/{asset_id}/video_clips/download',
  'POST /v1/assets/{asset_id}/video_clips/download_async',
  'GET /v1/assets/{asset_id}/video_clips/download_async/{job_id}',
  'POST /v1/assets/{asset_id}/video_clips/{video_clip_id}/export',
  'POST /v1/assets/{asset_id}/video_clips/{video_clip_id}/async_export',
  'GET /v1/assets/{asset_id}/video_clips/{video_clip_id}/async_export/{job_id}',
  'POST /v1/clips/{clip_id}/publish',
  'GET /v1/publish/{job_id}',
];

describe('the contract', () => {
  it('has every row of the specification that is served, and marks its own additions', () => {
    const own = operations
      .filter(({ spec }) => !spec.beyondSpec)
      .map(({ spec }) => `${spec.method} ${spec.path}`);
    expect(own.sort()).toEqual([...specified].sort());
  });

  it('uses each operation id and each route once', () => {
    expect(new Set(operations.map(({ spec }) => spec.id)).size).toBe(operations.length);
    expect(new Set(operations.map(({ spec }) => spec.method + spec.path)).size).toBe(operations.length);
  });

  it.each(operations.map(({ spec }) => [spec.id, spec] as const))(
    'gives %s examples that its schemas accept',
    (_, spec) => {
      if (spec.body !== undefined) expect(check(spec.body, spec.bodyExample)).toEqual([]);
      for (const { body, example } of Object.values(spec.responses)) {
        if (body !== undefined && example !== undefined) expect(check(body, example)).toEqual([]);
      }
    },
  );

  it('takes the asset fields of the specification with their types and defaults', () => {
    const body = operations.find(({ spec }) => spec.id === 'createAsset')!.spec.body as unknown as {
      required: string[];
      properties: Record<string, Record<string, unknown>>;
    };
    expect(body.required).toEqual(['filename']);
    expect(Object.keys(body.properties).sort()).toEqual(
      ['filename', 'name', 'template_id', 'collection_id', 'language_id', 'external_id', 'mc_model'].sort(),
    );
    expect(body.properties.mc_model).toMatchObject({ enum: ['normal', 'turbo'], default: 'normal' });
  });
});

describe('the OpenAPI document', () => {
  const document = openApiDocument();

  it('is OpenAPI 3.1 with every operation of the contract', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const { spec } of operations) {
      expect(document.paths[spec.path]?.[spec.method.toLowerCase()]).toMatchObject({ operationId: spec.id });
    }
  });

  it('declares every status that an operation can answer', () => {
    for (const { spec } of operations) {
      const declared = Object.keys(
        (document.paths[spec.path]![spec.method.toLowerCase()] as { responses: object }).responses,
      );
      const statuses = problemCodesOf(spec).map((code) => String(problems[code].status));
      expect(declared).toEqual(expect.arrayContaining(statuses));
    }
  });

  it('names each shared schema once', () => {
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'Asset',
        'AssetInput',
        'AssetPage',
        'Job',
        'Problem',
        'Segment',
        'Transcription',
      ]),
    );
  });
});
