/**
 * The beginning and the end of an asset. They are a Lambda of their own, which starts state machines, so that the
 * one that reads assets starts cold without that client, and may write nothing.
 */
import Type from 'typebox';
import { defaulted, operation } from '../kit/operation.ts';
import { Body, created, Line, Uuid } from '../kit/schemas.ts';
import { Asset, assetExample, assetParams } from './assets.ts';

/** BCP 47 tags are the caller's business; ids are what the API speaks. */
const AssetFields = {
  filename: Line('Name of the file'),
  name: Type.Optional(Line('Custom display name')),
  template_id: Type.Optional(Uuid('Template to apply')),
  collection_id: Type.Optional(Uuid('Collection to assign to')),
  language_id: Type.Optional(
    Uuid(
      'Original language; 422 where no engine here understands it. Detected when absent, where the engine can; ' +
        'where it can not, and doubts, `analyses.transcription` of the asset has failed with `language_uncertain`',
    ),
  ),
  external_id: Type.Optional(Line("Caller's own id, unique per tenant")),
  mc_model: defaulted(Type.Enum(['normal', 'turbo'], { default: 'normal', description: 'Processing mode' })),
};

export const AssetInput = Body(AssetFields, { $id: 'AssetInput' });

export const createAsset = operation({
  id: 'createAsset',
  method: 'POST',
  path: '/v1/assets',
  summary: 'Create an asset',
  description:
    'The first of four steps: create, start_upload, upload the parts, finish_upload. Nothing is processed before the last. ' +
    'An `external_id` is yours alone: with one that is taken the answer is 409, and names it.',
  scope: 'assets:write',
  body: AssetInput,
  bodyExample: { filename: 'keynote.mp4', name: 'Opening keynote', external_id: 'cms-4711' },
  responses: { 201: { description: 'The new asset', body: Asset, example: assetExample, headers: created } },
  errors: ['external_id_conflict', 'unknown_reference', 'language_unsupported'],
});

export const deleteAsset = operation({
  id: 'deleteAsset',
  method: 'DELETE',
  path: '/v1/assets/{asset_id}',
  summary: 'Delete an asset with all that was made from it',
  description: 'The asset is gone from lists at once; its media follow within minutes.',
  scope: 'assets:write',
  params: assetParams,
  responses: { 204: { description: 'Deleted' } },
  errors: ['resource_not_found', 'invalid_parameter', 'precondition_failed', 'write_conflict'],
});
