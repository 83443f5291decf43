/** The quotas of providers that engines declare. A job waits while a quota is used up: docs/decisions/0065. */
export interface ProviderQuota {
  /** The things that the quota counts, in words for people. */
  readonly counts: string;
  /** `at once`: the quota limits concurrent work. Otherwise, the quota limits requests per second or minute. */
  readonly per: 'at once' | 'second' | 'minute';
  /** The lowest default of all regions. Infinity if AWS publishes no number. */
  readonly given: number;
  /** The code in Service Quotas. Absent if Service Quotas does not list the quota, or lists one for each model. */
  readonly listed?: { readonly service: string; readonly code: string };
  readonly source: string;
}

const general = (page: string) => `https://docs.aws.amazon.com/general/latest/gr/${page}.html`;

export const providerQuotas = {
  /** The quota "Number of concurrent batch transcription jobs". */
  transcribeJobs: {
    counts: 'jobs of Amazon Transcribe at once',
    per: 'at once',
    given: 250,
    listed: { service: 'transcribe', code: 'L-6F7AB1C9' },
    source: general('transcribe'),
  },
  /** DetectText. The default is 50 in N. Virginia, Oregon and Ireland. */
  rekognitionTextPerSecond: {
    counts: 'pictures a second that Amazon Rekognition reads',
    per: 'second',
    given: 5,
    listed: { service: 'rekognition', code: 'L-87CF5BA6' },
    source: general('rekognition'),
  },
  /** DetectFaces. The default is 100 in N. Virginia, Oregon and Ireland. CompareFaces has a separate quota of the same size, which `npm run doctor` does not read. */
  rekognitionFacesPerSecond: {
    counts: 'pictures a second in which Amazon Rekognition finds faces',
    per: 'second',
    given: 25,
    listed: { service: 'rekognition', code: 'L-A5121FD7' },
    source: general('rekognition'),
  },
  /** SynthesizeSpeech with neural voices. 18 requests may run at the same time. */
  pollyPerSecond: {
    counts: 'texts a second that Amazon Polly speaks',
    per: 'second',
    given: 8,
    source: 'https://docs.aws.amazon.com/polly/latest/dg/limits.html',
  },
  /** TranslateText. AWS publishes no number: the quota "scales to serve customer operational traffic". */
  translatePerSecond: {
    counts: 'texts a second that Amazon Translate translates',
    per: 'second',
    given: Number.POSITIVE_INFINITY,
    source: 'https://docs.aws.amazon.com/translate/latest/dg/what-is-limits.html',
  },
  /** Requests to the configured model. Each model has its own quota, which is lower for new accounts. */
  bedrockPerMinute: {
    counts: 'requests a minute to the model of Amazon Bedrock',
    per: 'minute',
    given: Number.POSITIVE_INFINITY,
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/quotas-runtime.html',
  },
} as const satisfies Readonly<Record<string, ProviderQuota>>;

export type ProviderQuotaName = keyof typeof providerQuotas;

export const providerQuotaNames = Object.keys(providerQuotas) as readonly ProviderQuotaName[];
