/** Collections: groups of assets. An asset is in at most one collection. */
import Type from 'typebox';
import { exampleIds, Name, OptionalId, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { operation } from '../kit/operation.ts';
import { AssetUuid, Strict } from '../kit/schemas.ts';

export const { createCollection, listCollections, getCollection, updateCollection, deleteCollection } = crud({
  kind: 'collection',
  scope: 'config',
  description:
    'A group of assets. An asset is in at most one collection. Assets that are created in it without a template use the template of the collection.',
  usedBy: 'views or channels',
  fields: { name: Name, template_id: OptionalId('Template of assets that are created in it without one') },
  references: { template_id: targets.template },
  deletion:
    'Its assets stay. Within minutes they are in no collection, and filters no longer find them under it.',
  example: { name: 'Interviews', template_id: exampleIds.template },
});

const body = Strict(
  {
    asset_ids: Type.Array(AssetUuid(), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Assets',
    }),
  },
  { $id: 'CollectionAssetsInput' },
);
const bodyExample = { asset_ids: ['019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11'] };

export const addCollectionAssets = operation({
  route: 'POST /v1/collections/{collection_id}/assets',
  summary: 'Add assets to a collection',
  description:
    'Assets of another collection move. Assets that are in it already stay, so the call can be repeated. ' +
    'If one asset does not exist, none is added. With `write_conflict`, `errors` names the assets that other requests ' +
    'changed at the same time; the others are added.',
  scope: 'assets:write',
  body,
  bodyExample,
  responses: { 204: { description: 'All of them are in the collection' } },
  errors: ['unknown_reference', 'write_conflict'],
});

export const removeCollectionAssets = operation({
  route: 'DELETE /v1/collections/{collection_id}/assets',
  summary: 'Remove assets from a collection',
  description:
    'The assets themselves stay. Assets that are not in it do not change, so the call can be repeated. ' +
    'If one asset does not exist, none is removed. With `write_conflict`, `errors` names the assets that other requests ' +
    'changed at the same time; the others are removed.',
  scope: 'assets:write',
  body,
  bodyExample,
  responses: { 204: { description: 'None of them is in the collection' } },
  errors: ['unknown_reference', 'write_conflict'],
});
