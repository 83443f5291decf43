/** Metadata of an asset as a whole, in one language. */
import Type from 'typebox';
import {
  AssetUuid,
  assetId,
  Box,
  Confidence,
  dateFields,
  dates,
  english,
  Fraction,
  Nullable,
  Strict,
  span,
  Uuid,
} from '../kit/schemas.ts';

const Sentiment = Strict({
  label: Type.Enum(['Negative', 'Neutral', 'Positive']),
  score: Fraction('Its share'),
});

const Classification = Strict({
  scheme: Type.Enum(['EBU ContentCS'], { description: 'EBU Tech 3293' }),
  code: Type.String({ description: 'Code of the term, such as 3.1.6.8' }),
  name: Type.String(),
  confidence: Confidence,
});

const metadataFields = {
  metadata_id: Uuid('Metadata'),
  asset_id: AssetUuid(),
  language_id: Nullable(
    Uuid('Language of the metadata; null if there are only `texts`, and their language is unknown'),
  ),
  title: Nullable(Type.String()),
  summary: Nullable(Type.String()),
  sentiment: Nullable(Sentiment),
  classifications: Type.Array(Classification),
  ...dateFields,
};

export const MetadataSummary = Strict(metadataFields, { $id: 'MetadataSummary' });

/** Times at which a person or a thing is mentioned or shown. */
const Mention = Strict(span);

export const Metadata = Strict(
  {
    ...metadataFields,
    keywords: Type.Array(Strict({ text: Type.String(), relevance: Fraction('Within the asset') })),
    entities: Type.Array(
      Strict({
        text: Type.String(),
        type: Type.Enum(['person', 'organization', 'location', 'date', 'product', 'event', 'other']),
        confidence: Confidence,
        mentions: Type.Array(Mention),
      }),
    ),
    chapters: Type.Array(Strict({ title: Type.String(), summary: Nullable(Type.String()), ...span }), {
      description: 'Chapters in order, without gaps',
    }),
    texts: Type.Array(Strict({ text: Type.String(), ...span, box: Box, confidence: Confidence }), {
      description: 'Text in the picture',
    }),
  },
  { $id: 'Metadata' },
);

export const summaryExample = {
  metadata_id: '019a9d2e-62cc-7b13-8a2d-1d5e3b8f9c21',
  asset_id: assetId,
  language_id: english,
  title: 'Opening keynote',
  summary: 'Ana Ruiz introduces Kinora.',
  sentiment: { label: 'Positive' as const, score: 0.81 },
  classifications: [
    { scheme: 'EBU ContentCS' as const, code: '3.1.6.8', name: 'Technology', confidence: 0.77 },
  ],
  ...dates,
};

export const metadataExample = {
  ...summaryExample,
  keywords: [{ text: 'subtitles', relevance: 0.93 }],
  entities: [
    {
      text: 'Ana Ruiz',
      type: 'person',
      confidence: 0.98,
      mentions: [{ start_ms: 1000, end_ms: 1600 }],
    },
  ],
  chapters: [{ title: 'Welcome', summary: null, start_ms: 0, end_ms: 61_440 }],
  texts: [
    {
      text: 'KINORA',
      start_ms: 0,
      end_ms: 4000,
      box: { x: 0.4, y: 0.8, width: 0.2, height: 0.1 },
      confidence: 0.99,
    },
  ],
};
