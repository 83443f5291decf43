/** Headers that many answers have. */

const text = { type: 'string' };

export const sharedHeaders = {
  RequestId: { description: 'Id of the request, as in logs and problems', schema: text },
  IdempotentReplayed: {
    description: '`true` where this is the answer to an earlier request with the same Idempotency-Key',
    schema: { ...text, enum: ['true'] },
  },
  // draft-ietf-httpapi-ratelimit-headers
  RateLimitPolicy: {
    description: 'Where the tenant has a limit: q requests in windows of w seconds',
    schema: text,
    example: '"requests";q=600;w=60',
  },
  RateLimit: {
    description: 'Where the tenant has a limit: r requests are left for the next t seconds',
    schema: text,
    example: '"requests";r=598;t=41',
  },
};

const reference = (name: keyof typeof sharedHeaders) => ({ $ref: `#/components/headers/${name}` });

export const requestIdHeader = { 'X-Request-Id': reference('RequestId') };

/** Headers of answers to successful POST requests. */
export const replayHeader = { 'Idempotent-Replayed': reference('IdempotentReplayed') };

/** Headers of every answer to a tenant with a rate limit. The document lists them for successes and for 429. */
export const rateLimitHeaders = {
  'RateLimit-Policy': reference('RateLimitPolicy'),
  RateLimit: reference('RateLimit'),
};
