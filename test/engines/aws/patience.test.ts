/**
 * Tests the time-outs of AWS clients over real connections to a local server, which answers late, incompletely or
 * never.
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { PollyClient } from '@aws-sdk/client-polly';
import { S3Client } from '@aws-sdk/client-s3';
import { TranslateClient } from '@aws-sdk/client-translate';
import { AdaptiveRetryStrategy } from '@smithy/core/retry';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pollySpeech } from '../../../engines/speech/aws-polly.ts';
import { converse } from '../../../engines/translation/aws-bedrock.ts';
import { translateTexts } from '../../../engines/translation/aws-translate.ts';
import { settingsOf } from '../../../lib/jobs/steps.ts';
import { asProblem } from '../../../platform/kernel/problem.ts';
import { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { holdingBack, patience } from '../../../shared/aws-services.ts';
import { asTenantId } from '../../../shared/ids.ts';
import { root } from '../../../toolchain/bundle/paths.ts';
import { listening } from '../../support/listening.ts';
import { sources } from './wire.ts';

type Answering = (response: ServerResponse) => void;

let answering: Answering;
let requests = 0;
const { url, close } = await listening((request, response) => {
  requests += 1;
  request.resume();
  request.on('error', () => {});
  answering(response);
});
beforeEach(() => {
  requests = 0;
});
afterAll(close);

const settings = (maxAttempts = 1) => ({
  region: 'eu-central-1',
  credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
  endpoint: url,
  forcePathStyle: true,
  maxAttempts,
  requestHandler: patience(100),
});

/** One client for each protocol. By default, the SDK would use HTTP/2 for the first two. */
const asking: Readonly<Record<string, (maxAttempts?: number) => Promise<unknown>>> = {
  'Amazon Polly': (attempts) =>
    pollySpeech({ client: new PollyClient(settings(attempts)), word_times: false }).speak('Hola.', lucia),
  'Amazon Bedrock': (attempts) =>
    converse(new BedrockRuntimeClient(settings(attempts)), 'm').translate(['One.'], pair),
  'Amazon Translate': (attempts) =>
    translateTexts(new TranslateClient(settings(attempts)), '').translate(['One.'], pair),
  'Amazon S3': (attempts) =>
    new MediaObjects(new S3Client(settings(attempts)), 'media', asTenantId('demo')).read('t/demo/a'),
};
const lucia = { language: 'es', voice: 'Lucia', rate: 1 };
const pair = { source: 'en', target: 'es' };

const begins = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"TranslatedText":"Uno.","output":');
};
/** All answers except the first two start with a successful status. */
const losing: readonly (readonly [says: string, answering: Answering])[] = [
  ['does not answer', () => {}],
  ['stops in the middle of an answer', begins],
  [
    'closes the connection within an answer',
    (response) => {
      begins(response);
      setImmediate(() => response.socket?.destroy());
    },
  ],
  [
    'resets the connection within an answer',
    (response) => {
      begins(response);
      setImmediate(() => response.socket?.resetAndDestroy());
    },
  ],
  ['closes the connection before it answers', (response) => response.socket?.destroy()],
];

describe.each(Object.entries(asking))('%s', (_, ask) => {
  it.each(losing)('is retried by steps and by API clients if AWS %s', async (_says, how) => {
    answering = how;
    const error = await ask().then(
      (given) => expect.fail(`It passes for success: ${JSON.stringify(given)}`),
      (reason: Error) => reason,
    );
    expect(asProblem(error).code).toBe('temporarily_unavailable');
  });

  it('is retried over a new connection', async () => {
    const connections = new Set<unknown>();
    answering = (response) => connections.add(response.socket);
    await expect(ask(2)).rejects.toThrow();
    expect([requests, connections.size]).toEqual([2, 2]);
  });
});

describe('a client with adaptive retries', () => {
  /** Counts the requests for an error that always repeats, without the waiting times of the SDK's strategy. */
  const asks = async (errorType: 'THROTTLING' | 'TRANSIENT', error: Error) => {
    const { retryStrategy, maxAttempts } = holdingBack();
    const token = (asked: number) => ({ getRetryCount: () => asked - 1 }) as never;
    vi.spyOn(AdaptiveRetryStrategy.prototype, 'refreshRetryTokenForRetry').mockResolvedValue(token(1));
    for (let asked = 1; asked < maxAttempts; asked += 1) {
      const next = retryStrategy.refreshRetryTokenForRetry(token(asked), {
        errorType,
        error: error as never,
      });
      if ((await next.catch(() => null)) === null) return asked;
    }
    return maxAttempts;
  };
  afterEach(() => void vi.restoreAllMocks());

  it('retries often if it is throttled, and rarely if the service has failed', async () => {
    const { retryStrategy } = holdingBack();
    expect([await retryStrategy.maxAttemptsProvider(), retryStrategy.mode]).toEqual([10, 'adaptive']);
    expect(await asks('THROTTLING', new Error())).toBe(10);
    expect(await asks('TRANSIENT', new Error())).toBe(3);
    expect(await asks('TRANSIENT', Object.assign(new Error(), { name: 'TimeoutError' }))).toBe(2);
  });

  it('has its own rate limiter', () => {
    expect(holdingBack().retryStrategy).not.toBe(holdingBack().retryStrategy);
  });
});

it.each<[string, Answering, number]>([
  ['is silent', () => {}, 2],
  ['has an internal error', (response) => response.writeHead(500).end(), 3],
])('a client with adaptive retries sends few requests to a service that %s', async (_, how, most) => {
  answering = how;
  const client = new PollyClient({ ...settings(), ...holdingBack() });
  const speaking = pollySpeech({ client, word_times: false }).speak('Hola.', lucia);
  await expect(speaking).rejects.toMatchObject({ name: 'provider_unavailable' });
  expect(requests).toBe(most);
});

/** Finds each `new XClient(…)` and its time-outs in the code of engines and the platform. */
function clients(): {
  readonly file: string;
  readonly made: string;
  readonly answer_ms: number;
  readonly attempts: number;
}[] {
  const shared = readFileSync(join(root, 'engines/aws/requests.ts'), 'utf8');
  const numberOf = (text: string, name: string) =>
    Number(new RegExp(`const ${name} = ([\\d_]+);`).exec(text)?.[1]?.replaceAll('_', ''));
  return sources().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/new (\w+)Client\((\{[^;]*?\})\)/g)].map(([, made, given]) => {
      const name = /patience\((\w+)/.exec(given!)?.[1] ?? 'none';
      const elsewhere = name.startsWith('KMS')
        ? shared
        : readFileSync(join(root, 'engines/exporting/aws-session.ts'), 'utf8');
      const answer_ms = numberOf(text, name) || numberOf(elsewhere, name);
      return {
        file,
        made: made!,
        answer_ms,
        attempts: /holdingBack\(\)/.test(given!) ? holdingBack().maxAttempts : 3,
      };
    });
  });
}

/** The SDK waits up to 20 s between attempts: first 0.5 s, then twice as long each time. */
const waitsOf = (attempts: number) =>
  Array.from({ length: attempts - 1 }, (_, at) => Math.min(20_000, 500 * 2 ** at)).reduce(
    (sum, ms) => sum + ms,
    0,
  );

/**
 * The caller's time in seconds, the number of requests in sequence, and the number of attempts that must fit into the
 * time.
 */
const within: Readonly<
  Record<string, { readonly seconds: number; readonly calls?: number; readonly attempts?: number }>
> = {
  'engines/exporting/aws-session.ts STS': { seconds: settingsOf('WriteExport').timeout, calls: 2 },
  'engines/exporting/aws.ts S3': { seconds: settingsOf('WriteExport').timeout },
  // API requests decrypt secrets. Steps that clone voices have more time.
  'engines/aws/kms.ts KMS': { seconds: 29 },
  'engines/aws/rekognition.ts Rekognition': { seconds: settingsOf('LookAtPictures').timeout },
  'engines/speech/aws-polly.ts Polly': { seconds: settingsOf('SpeakSegments').timeout },
  'engines/text-analysis/aws-comprehend.ts Comprehend': { seconds: settingsOf('AnalyzeText').timeout },
  // `discard` reads a job, deletes it, reads a vocabulary and deletes it. Nothing cancels these requests.
  'engines/transcription/aws-transcribe.ts Transcribe': {
    seconds: settingsOf('ClearIngest').timeout,
    calls: 4,
  },
  'engines/translation/aws-bedrock.ts BedrockRuntime': { seconds: settingsOf('TranslateLanguage').timeout },
  'engines/translation/aws-translate.ts Translate': { seconds: settingsOf('TranslateLanguage').timeout },
  'platform/runtime/dynamodb.ts DynamoDB': { seconds: 29 },
  // Steps have time for all attempts. A request has time for one late attempt and the answer to the next.
  'platform/runtime/s3.ts S3': { seconds: 29, attempts: 1 },
  'platform/runtime/stepfunctions.ts SFN': { seconds: 29 },
};

it('every AWS client stops retrying before the time-out of its function', () => {
  const found = clients();
  expect(found.map(({ file, made }) => `${file} ${made}`).sort()).toEqual(Object.keys(within).sort());
  for (const { file, made, answer_ms, attempts } of found) {
    const { seconds, calls = 1, attempts: fitting = attempts } = within[`${file} ${made}`]!;
    const longest_ms = calls * (fitting * answer_ms + waitsOf(fitting));
    expect(answer_ms, file).toBeGreaterThan(0);
    expect(longest_ms, file).toBeLessThan(seconds * 1000);
  }
});
