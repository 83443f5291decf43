/** Search in natural language, in all assets of a tenant, or in one asset. */
import Type from 'typebox';
import { forms } from '../kit/forms.ts';
import { operation } from '../kit/operation.ts';
import {
  AssetUuid,
  Body,
  defaulted,
  Fraction,
  Milliseconds,
  Nullable,
  Strict,
  shown,
  Text,
} from '../kit/schemas.ts';

/** Length of 4 MiB in base64. A body may have 6,000,000 bytes, so there is space for the other members. */
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
    score: Fraction('Relevance; the list begins with the best match'),
    start_ms: Nullable(Milliseconds('Start of the match')),
    end_ms: Nullable(Milliseconds('End of the match')),
    text: Nullable(Type.String({ description: 'Text that is said or shown there' })),
    source: Type.Enum(['transcript', 'picture', 'sound', 'metadata']),
  },
  { $id: 'SearchHit' },
);

export const nlSearch = operation({
  route: 'POST /v1/nl_search',
  summary: 'Find moments in assets by speech, picture or sound',
  description:
    'The query is text; it can come with a picture or a sound of up to 4 MB. Answers at once ' +
    'with the matching moments, in milliseconds, best match first. `asset_id` limits the search to one asset. ' +
    'Send `application/json`: bodies of other types grow by a third on their way, and can exceed the limit.',
  scope: 'search:read',
  body: Body(
    {
      query: Text('Text to look for, in any language', 2000),
      asset_id: Type.Optional(AssetUuid('Only this asset')),
      max_results: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
      image: Type.Optional(
        Sample(['image/jpeg', 'image/png', 'image/webp'], 'A picture that the moments resemble'),
      ),
      audio: Type.Optional(
        Sample(
          ['audio/wav', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/flac'],
          'A sound that the moments resemble',
        ),
      ),
    },
    { $id: 'SearchInput' },
  ),
  bodyExample: { query: 'the presenter thanks the audience', max_results: 5 },
  responses: shown(
    'The moments, best match first',
    Strict({ data: Type.Array(SearchHit) }, { $id: 'SearchResult' }),
    {
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
  ),
  errors: ['unknown_reference'],
  planned: 'Search',
});
