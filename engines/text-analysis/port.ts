/** What every engine does that finds out what a text is about. */
import { engineOf } from '../engine.ts';

export type EntityType = 'person' | 'organization' | 'location' | 'date' | 'product' | 'event' | 'other';

export interface FoundEntity {
  /** As the text has it. */
  readonly text: string;
  readonly type: EntityType;
  /** 0 to 1; null where the engine gives none. */
  readonly confidence: number | null;
}

export interface KeyPhrase {
  readonly text: string;
  /** 0 to 1, within the text: the first has 1. */
  readonly relevance: number;
}

export interface Sentiment {
  readonly label: 'Negative' | 'Neutral' | 'Positive';
  /** The share of the label in the text, 0 to 1. */
  readonly score: number;
}

export interface TextFindings {
  readonly sentiment: Sentiment | null;
  /** Each once, those that are named most first. */
  readonly entities: readonly FoundEntity[];
  /** The most relevant first. */
  readonly keyPhrases: readonly KeyPhrase[];
}

export interface AnalysisRequest {
  /** BCP 47 tag. */
  readonly language: string;
  readonly signal?: AbortSignal | undefined;
}

/** Methods throw a JobError; one that is `retryable` may go well when asked again. */
export interface TextAnalysis {
  /** The language that most of the text is in, as a BCP 47 tag; null where the engine is not sure. */
  languageOf(passages: readonly string[], signal?: AbortSignal): Promise<string | null>;
  /** @param passages sentences in their order. Throws `language_unsupported` for a language that the declaration does not have. */
  analyze(passages: readonly string[], request: AnalysisRequest): Promise<TextFindings>;
}

export const textAnalysisEngine = engineOf<TextAnalysis>();

/** More than these nobody reads. */
export const MOST_ENTITIES = 200;
export const MOST_PHRASES = 25;
