/**
 * Recorded AWS responses in the shapes of its API references, one file per situation. No call reaches AWS, so the tests
 * do not prove that AWS still answers as documented. The first matching response is used. If a file has none, the file
 * that it extends is used.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { ComprehendClient, ListEndpointsCommand } from '@aws-sdk/client-comprehend';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DescribeVoicesCommand, PollyClient } from '@aws-sdk/client-polly';
import { ListCollectionsCommand, RekognitionClient } from '@aws-sdk/client-rekognition';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ListTranscriptionJobsCommand, TranscribeClient } from '@aws-sdk/client-transcribe';
import { ListLanguagesCommand, TranslateClient } from '@aws-sdk/client-translate';
import { mockClient } from 'aws-sdk-client-mock';
import { vi } from 'vitest';

interface Recorded {
  /** `GetHostedZone` is sent without the SDK, so its response is XML and a status. */
  readonly call: keyof typeof calls | 'GetHostedZone';
  readonly region?: string;
  /** Default: any input. */
  readonly input?: object;
  readonly answer?: object;
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string };
}

const calls = {
  Converse: [BedrockRuntimeClient, ConverseCommand],
  DescribeCertificate: [ACMClient, DescribeCertificateCommand],
  DescribeStacks: [CloudFormationClient, DescribeStacksCommand],
  DescribeVoices: [PollyClient, DescribeVoicesCommand],
  GetAWSDefaultServiceQuota: [ServiceQuotasClient, GetAWSDefaultServiceQuotaCommand],
  GetAccountSettings: [LambdaClient, GetAccountSettingsCommand],
  GetCallerIdentity: [STSClient, GetCallerIdentityCommand],
  GetServiceQuota: [ServiceQuotasClient, GetServiceQuotaCommand],
  ListCollections: [RekognitionClient, ListCollectionsCommand],
  ListEndpoints: [ComprehendClient, ListEndpointsCommand],
  ListLanguages: [TranslateClient, ListLanguagesCommand],
  ListTranscriptionJobs: [TranscribeClient, ListTranscriptionJobsCommand],
} as const;

type Mock = ReturnType<typeof mockClient>;
/** The table above has clients of many services. This is their common interface. */
type AnyCommand = Parameters<Mock['on']>[0];
type AnyClient = Parameters<typeof mockClient>[0];
interface InRegion {
  readonly config: { region(): Promise<string> };
}

const mocks = new Map(
  [...new Set(Object.values(calls).map(([client]) => client))].map((client) => [
    client as unknown,
    mockClient(client as unknown as AnyClient),
  ]),
);

/** Clients answer from the file until another file is played. @returns the calls without a recorded response */
export function play(situation: string): string[] {
  const answers = answersOf(situation);
  const unknown: string[] = [];
  for (const mock of mocks.values()) mock.reset();
  for (const [call, [client, command]] of Object.entries(calls)) {
    const answer = async (input: object, clientOf: () => unknown) => {
      const region = await (clientOf() as InRegion).config.region();
      const found = answers.find((one) => one.call === call && fits(one, region, input));
      if (found === undefined) unknown.push(`${call} in ${region}: ${JSON.stringify(input)}`);
      if (found?.error) throw Object.assign(new Error(found.error.message), found.error);
      return found?.answer ?? {};
    };
    mocks
      .get(client)!
      .on(command as unknown as AnyCommand)
      .callsFake(answer);
  }
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    const id = /^https:\/\/route53\.amazonaws\.com\/2013-04-01\/hostedzone\/(\w+)$/.exec(url)?.[1];
    const found = answers.find((one) => one.call === 'GetHostedZone' && fits(one, '', { Id: id }));
    if (found === undefined) unknown.push(url);
    // Route 53 requests are signed for one region, in every environment.
    if (!/\/us-east-1\/route53\/aws4_request/.test(headers.authorization!)) unknown.push('a signature');
    const { status, xml } = (found?.answer ?? { status: 500, xml: '' }) as { status: number; xml: string };
    return new Response(xml, { status });
  });
  return unknown;
}

// Requests without the SDK are signed too.
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret' });

const fits = ({ region = '', input }: Recorded, where: string, asked: object) =>
  where.startsWith(region) && (input === undefined || isDeepStrictEqual(defined(asked), input));

const defined = (input: object) => JSON.parse(JSON.stringify(input)) as object;

function answersOf(situation: string): readonly Recorded[] {
  const text = readFileSync(`${import.meta.dirname}/answers/${situation}.json`, 'utf8');
  const { like, answers } = JSON.parse(text, withDates) as { like?: string; answers: Recorded[] };
  return [...answers, ...(like === undefined ? [] : answersOf(like))];
}

/** The SDK returns times as dates. */
const withDates = (_: string, value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(value) : value;
