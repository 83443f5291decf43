/**
 * Creation and deletion of assets. This Lambda writes, and starts state machines. Another Lambda reads assets: it starts faster without
 * the Step Functions client, and must not write.
 */
import Type from 'typebox';
import { operation } from '../kit/operation.ts';
import { Body, defaulted, Line, made, Uuid } from '../kit/schemas.ts';
import { Asset, assetExample, audioTrackNumber } from './assets.ts';

/** The API identifies languages by id; callers must convert BCP 47 tags to ids. */
const AssetFields = {
  filename: Line('Name of the file'),
  name: Type.Optional(Line('Custom display name')),
  template_id: Type.Optional(Uuid('Template to apply')),
  collection_id: Type.Optional(Uuid('Collection to assign to')),
  language_id: Type.Optional(
    Uuid(
      'Original language; 422 if no engine of this environment supports it. If absent, the engine detects it if it can. ' +
        'If it is not certain, `analyses.transcription` of the asset fails with `language_uncertain`',
    ),
  ),
  audio_track: Type.Optional(
    audioTrackNumber(
      'Audio track of the file to transcribe, from 1; the job fails if the file has no such track. If absent: the track in ' +
        'the original language, else one without commentary, else the default, else the one with the most channels, else the first',
    ),
  ),
  external_id: Type.Optional(Line("Caller's own id, unique per tenant")),
  mc_model: defaulted(Type.Enum(['normal', 'turbo'], { default: 'normal', description: 'Processing mode' })),
};

export const AssetInput = Body(AssetFields, { $id: 'AssetInput' });

export const createAsset = operation({
  route: 'POST /v1/assets',
  summary: 'Create an asset',
  description:
    'The first of four steps: create, start_upload, upload the parts, finish_upload. Processing starts after the last step. ' +
    'Each `external_id` is unique in your tenant: if another asset has it, the answer is 409.',
  scope: 'assets:write',
  body: AssetInput,
  bodyExample: { filename: 'keynote.mp4', name: 'Opening keynote', external_id: 'cms-4711' },
  responses: made('asset', Asset, assetExample),
  errors: ['external_id_conflict', 'unknown_reference', 'language_unsupported'],
});

export const deleteAsset = operation({
  route: 'DELETE /v1/assets/{asset_id}',
  summary: 'Delete an asset with everything made from it',
  description: 'The asset disappears from lists at once. Its media is deleted within minutes.',
  scope: 'assets:write',
  responses: { 204: { description: 'Deleted' } },
  errors: ['precondition_failed', 'write_conflict'],
});
