/** Makes the metadata of an asset from the findings of the text engine and of our own rules. */
import { wordsOf } from '../../../engines/text-analysis/common-words.ts';
import type { FoundEntity, TextFindings } from '../../../engines/text-analysis/port.ts';
import { itemAt } from '../../../shared/checked-access.ts';
import type { Segment } from '../../../shared/segments.ts';
import type { MetadataDetails, MetadataHead } from './analysis-types.ts';
import { chaptersOf } from './chapters.ts';
import { classificationsOf } from './classification.ts';
import { type Said, sentencesOf } from './sentences.ts';
import { summaryOf, titleOf } from './summary.ts';

type Spoken = Pick<Segment, 'start_ms' | 'end_ms' | 'text' | 'words'>;
type Written = MetadataDetails['texts'][number];

export interface Texts {
  /** Segments of the transcription, in order. */
  readonly segments: readonly Spoken[];
  readonly texts: readonly Written[];
}

export interface About {
  /** BCP 47 tag. */
  readonly language: string;
  readonly duration_ms: number;
  /** Start times of shots, ms. */
  readonly cuts: readonly number[];
}

export interface MadeMetadata {
  readonly head: Pick<MetadataHead, 'title' | 'summary' | 'sentiment' | 'classifications'>;
  readonly details: MetadataDetails;
}

/** Passages for the text engine: the speech, then each different text of the picture once. */
export const passagesOf = ({ segments, texts }: Texts): string[] =>
  [...segments.map(({ text }) => text), ...new Set(texts.map(({ text }) => text))].filter(
    (text) => text.trim() !== '',
  );

/** Metadata with only the texts in the picture. Used if no engine knows the language or the engine failed. */
export const onlyTexts = (texts: readonly Written[]): MadeMetadata => ({
  head: { title: null, summary: null, sentiment: null, classifications: [] },
  details: { keywords: [], entities: [], chapters: [], texts },
});

export function metadataOf(given: Texts, about: About, findings: TextFindings): MadeMetadata {
  const { segments, texts } = given;
  const { language, duration_ms, cuts } = about;
  const spoken: readonly Said[] = segments.length > 0 ? segments : texts;
  const sentences = sentencesOf(spoken, language);
  const untitled = language.startsWith('es') ? 'Capítulo #' : 'Chapter #';
  return {
    head: {
      title: titleOf(sentences, findings.keyPhrases),
      summary: summaryOf(sentences),
      sentiment: findings.sentiment,
      classifications: classificationsOf(sentences, language),
    },
    details: {
      keywords: findings.keyPhrases,
      entities: withMentions(findings.entities, segments, texts),
      chapters: segments.length > 0 ? chaptersOf(sentences, { duration_ms, cuts, untitled }) : [],
      texts,
    },
  };
}

/** Adds the times at which each entity is said or shown. These times are exact to the word if word times are known. */
function withMentions(
  entities: readonly FoundEntity[],
  segments: readonly Spoken[],
  texts: readonly Written[],
): MetadataDetails['entities'] {
  const spoken = segments.map((segment) => {
    const words = segment.words.flatMap((word) => wordsOf(word.text).map((text) => ({ ...word, text })));
    return { segment, said: ` ${wordsOf(segment.text).join(' ')} `, words };
  });
  const written = texts.map((text) => ({ text, said: ` ${wordsOf(text.text).join(' ')} ` }));
  return entities.map((entity) => {
    const name = wordsOf(entity.text);
    const wanted = ` ${name.join(' ')} `;
    const named = spoken
      .filter(({ said }) => said.includes(wanted))
      .flatMap(({ segment, words }) => {
        const found = words.flatMap((_, at) => {
          const isHere = name.every((word, i) => words[at + i]?.text === word);
          return isHere
            ? [{ start_ms: itemAt(words, at).start_ms, end_ms: itemAt(words, at + name.length - 1).end_ms }]
            : [];
        });
        return found.length > 0 ? found : [{ start_ms: segment.start_ms, end_ms: segment.end_ms }];
      });
    const shown = written
      .filter(({ said }) => said.includes(wanted))
      .map(({ text: { start_ms, end_ms } }) => ({ start_ms, end_ms }));
    const mentions = [...named, ...shown].sort((one, other) => one.start_ms - other.start_ms);
    return { ...entity, mentions };
  });
}
