/** Collections: groups of assets. An asset stands in one at most. */
import Type from 'typebox';
import { exampleIds, Name, OptionalId, targets } from '../kit/configuration-fields.ts';
import { crud } from '../kit/crud.ts';
import { operation } from '../kit/operation.ts';
import { AssetUuid, Strict, Uuid } from '../kit/schemas.ts';

export const { createCollection, listCollections, getCollection, updateCollection, deleteCollection } = crud({
  one: 'Collection',
  many: 'Collections',
  kind: 'collection',
  kinds: 'collections',
  type: 'collections',
  path: '/v1/collections',
  id: 'collection_id',
  scope: 'config',
  description:
    'A group of assets; an asset stands in one at most. Assets that are created in it without a template take that of the collection.',
  usedBy: 'views or channels',
  fields: { name: Name, template_id: OptionalId('Template of assets that are created in it without one') },
  references: { template_id: targets.template },
  deletion:
    'Its assets stay; within minutes they stand in no collection, and filters no longer find them under it.',
  example: { name: 'Interviews', template_id: exampleIds.template },
});

const path = '/v1/collections/{collection_id}/assets';
const params = Strict({ collection_id: Uuid('Collection') });
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
  id: 'addCollectionAssets',
  method: 'POST',
  path,
  summary: 'Add assets to a collection',
  description:
    'Assets of another collection move. Those that stand in it already stay; repeating is harmless. ' +
    'Where one does not exist, nothing is done. With `write_conflict`, `errors` names those that others kept ' +
    'changing meanwhile; the rest is done.',
  scope: 'assets:write',
  params,
  body,
  bodyExample,
  responses: { 204: { description: 'All of them stand in the collection' } },
  errors: ['resource_not_found', 'invalid_parameter', 'unknown_reference', 'write_conflict'],
});

export const removeCollectionAssets = operation({
  id: 'removeCollectionAssets',
  method: 'DELETE',
  path,
  summary: 'Remove assets from a collection',
  description:
    'The assets themselves stay. Those that do not stand in it are left as they are; repeating is harmless. ' +
    'Where one does not exist, nothing is done. With `write_conflict`, `errors` names those that others kept ' +
    'changing meanwhile; the rest is done.',
  scope: 'assets:write',
  params,
  body,
  bodyExample,
  responses: { 204: { description: 'None of them stands in the collection' } },
  errors: ['resource_not_found', 'invalid_parameter', 'unknown_reference', 'write_conflict'],
});
