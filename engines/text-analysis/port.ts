/** The interface of engines that analyze texts. `ENGINE_TEXT_ANALYSIS` names the engine. */
import { engineOf } from '../engine.ts';

export type EntityType = 'person' | 'organization' | 'location' | 'date' | 'product' | 'event' | 'other';

export interface FoundEntity {
  readonly text: string;
  readonly type: EntityType;
  /** From 0 to 1. Null if the engine returns no confidence. */
  readonly confidence: number | null;
}

export interface KeyPhrase {
  readonly text: string;
  /** Relevance from 0 to 1, relative to the most relevant phrase of the text. */
  readonly relevance: number;
}

export interface Sentiment {
  readonly label: 'Negative' | 'Neutral' | 'Positive';
  /** The share of this label in the text, 0 to 1. */
  readonly score: number;
}

export interface TextFindings {
  readonly sentiment: Sentiment | null;
  /** Each name occurs once. The most frequent names come first. */
  readonly entities: readonly FoundEntity[];
  readonly keyPhrases: readonly KeyPhrase[];
}

export interface AnalysisRequest {
  /** BCP 47 tag. */
  readonly language: string;
  readonly signal?: AbortSignal | undefined;
}

/** Methods throw a JobError. A retry may succeed if the error is `retryable`. */
export interface TextAnalysis {
  /** Returns the main language of the text as a BCP 47 tag. Null if the engine is not sure. */
  languageOf(passages: readonly string[], signal?: AbortSignal): Promise<string | null>;
  /** Throws `language_unsupported` for a language that the engine does not declare. @param passages sentences, in order */
  analyze(passages: readonly string[], request: AnalysisRequest): Promise<TextFindings>;
}

export const textAnalysisEngine = engineOf<TextAnalysis>();

/** The maximum number of entities and phrases in findings. Longer lists are not useful to people. */
export const MOST_ENTITIES = 200;
export const MOST_PHRASES = 25;
