/**
 * What providers let an account do at once or in a time, where jobs may ask for more. An engine says which of its methods take of
 * which; an environment's file says how much its account has (`quotas`), and that is from which on jobs wait: docs/decisions/0065.
 */
export interface ProviderQuota {
  /** What is counted, for people. */
  readonly counts: string;
  /** Work that is under way, or requests in a time. */
  readonly per: 'at once' | 'second' | 'minute';
  /** What an account has that never asked for more, in the regions that give least; infinite where AWS names no number. */
  readonly given: number;
  /** Where Service Quotas has it; absent where it does not, or has one for each model. */
  readonly listed?: { readonly service: string; readonly code: string };
  /** The page of AWS that says so. */
  readonly source: string;
}

const general = (page: string) => `https://docs.aws.amazon.com/general/latest/gr/${page}.html`;

export const providerQuotas = {
  /** "Number of concurrent batch transcription jobs". */
  transcribeJobs: {
    counts: 'jobs of Amazon Transcribe at once',
    per: 'at once',
    given: 250,
    listed: { service: 'transcribe', code: 'L-6F7AB1C9' },
    source: general('transcribe'),
  },
  /** DetectText: 50 in N. Virginia, Oregon and Ireland. */
  rekognitionTextPerSecond: {
    counts: 'pictures a second that Amazon Rekognition reads',
    per: 'second',
    given: 5,
    listed: { service: 'rekognition', code: 'L-87CF5BA6' },
    source: general('rekognition'),
  },
  /** DetectFaces, and CompareFaces as much again: 100 in N. Virginia, Oregon and Ireland. */
  rekognitionFacesPerSecond: {
    counts: 'pictures a second in which Amazon Rekognition finds faces',
    per: 'second',
    given: 25,
    listed: { service: 'rekognition', code: 'L-A5121FD7' },
    source: general('rekognition'),
  },
  /** SynthesizeSpeech with neural voices; 18 may be under way. */
  pollyPerSecond: {
    counts: 'texts a second that Amazon Polly speaks',
    per: 'second',
    given: 8,
    source: 'https://docs.aws.amazon.com/polly/latest/dg/limits.html',
  },
  /** TranslateText, which "scales to serve customer operational traffic". */
  translatePerSecond: {
    counts: 'texts a second that Amazon Translate translates',
    per: 'second',
    given: Number.POSITIVE_INFINITY,
    source: 'https://docs.aws.amazon.com/translate/latest/dg/what-is-limits.html',
  },
  /** Requests to the model in use: each has its own, and new accounts less of it. */
  bedrockPerMinute: {
    counts: 'requests a minute to the model of Amazon Bedrock',
    per: 'minute',
    given: Number.POSITIVE_INFINITY,
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/quotas-runtime.html',
  },
} as const satisfies Readonly<Record<string, ProviderQuota>>;

export type ProviderQuotaName = keyof typeof providerQuotas;

export const providerQuotaNames = Object.keys(providerQuotas) as readonly ProviderQuotaName[];
