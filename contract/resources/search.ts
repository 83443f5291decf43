/** Search in natural language, over all assets of a tenant or within one. */
import Type from 'typebox';
import { forms } from '../kit/forms.ts';
import { defaulted, operation } from '../kit/operation.ts';
import { AssetUuid, Body, Milliseconds, Nullable, Strict, Text } from '../kit/schemas.ts';

/** Base64 of 4 MiB, which leaves room for all else in the 6,000,000 bytes that a body may have. */
const MAX_BASE64 = Math.ceil((4 * 2 ** 20) / 3) * 4;

const Sample = (types: string[], description: string) =>
  Strict(
    {
      media_type: Type.Enum(types),
      data_base64: Type.String({
        minLength: 4,
        maxLength: MAX_BASE64,
        pattern: forms.base64.pattern,
        description: 'At most 4 MiB once decoded, image and audio together',
      }),
    },
    { description },
  );

const SearchHit = Strict(
  {
    asset_id: AssetUuid(),
    score: Type.Number({ minimum: 0, maximum: 1, description: 'How well it fits; best first' }),
    start_ms: Nullable(Milliseconds('Start of the place that fits')),
    end_ms: Nullable(Milliseconds('End of the place that fits')),
    text: Nullable(Type.String({ description: 'What is said or written there' })),
    source: Type.Enum(['transcript', 'picture', 'sound', 'metadata']),
  },
  { $id: 'SearchHit' },
);

export const nlSearch = operation({
  id: 'nlSearch',
  method: 'POST',
  path: '/v1/nl_search',
  summary: 'Find places in assets by what is said, seen or heard',
  description:
    'The query says in words what to look for; a picture or a sound of up to 4 MB can stand beside it. Answers at once ' +
    'with places of assets, in milliseconds, best first; `asset_id` keeps to one asset. ' +
    'Send `application/json` itself: bodies of other types become a third longer on their way, and may not arrive.',
  scope: 'search:read',
  body: Body(
    {
      query: Text('What to look for, in any language', 2000),
      asset_id: Type.Optional(AssetUuid('Only this asset')),
      max_results: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
      image: Type.Optional(
        Sample(['image/jpeg', 'image/png', 'image/webp'], 'A picture that the places resemble'),
      ),
      audio: Type.Optional(
        Sample(
          ['audio/wav', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/flac'],
          'A sound that they resemble',
        ),
      ),
    },
    { $id: 'SearchInput' },
  ),
  bodyExample: { query: 'the presenter thanks the audience', max_results: 5 },
  responses: {
    200: {
      description: 'The places, best first',
      body: Strict({ data: Type.Array(SearchHit) }, { $id: 'SearchResult' }),
      example: {
        data: [
          {
            asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
            score: 0.87,
            start_ms: 58_000,
            end_ms: 61_000,
            text: 'Thank you for coming.',
            source: 'transcript',
          },
        ],
      },
    },
  },
  errors: ['unknown_reference'],
  planned: 'Search',
});
