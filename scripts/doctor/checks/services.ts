/** Whether the AI services of the environment's engines exist in its region and accept this account. */
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { ComprehendClient, ListEndpointsCommand } from '@aws-sdk/client-comprehend';
import { DescribeVoicesCommand, PollyClient } from '@aws-sdk/client-polly';
import { ListCollectionsCommand, RekognitionClient } from '@aws-sdk/client-rekognition';
import { ListTranscriptionJobsCommand, TranscribeClient } from '@aws-sdk/client-transcribe';
import { ListLanguagesCommand, TranslateClient } from '@aws-sdk/client-translate';
import { type Capability, declarations } from '../../../engines/declarations.ts';
import { choose } from '../../../engines/selection.ts';
import { choiceVariables } from '../../../lib/shared/engines.ts';
import { defined } from '../../../shared/checked-access.ts';
import { type Advice, adviceOf } from '../../deployment/failure.ts';
import type { Target } from '../../deployment/targets.ts';
import { check, failing, type Judgement, well } from '../check.ts';

interface Service {
  readonly name: string;
  /** Sends a free request. In Bedrock, it costs one token, because only a real request shows whether the account may use a model. */
  ask(region: string, settings: Readonly<Record<string, string>>): Promise<unknown>;
}

const rekognition: Service = {
  name: 'Amazon Rekognition',
  ask: (region) => new RekognitionClient({ region }).send(new ListCollectionsCommand({ MaxResults: 1 })),
};

const servicesOf: Readonly<Record<string, Service>> = {
  'amazon-transcribe': {
    name: 'Amazon Transcribe',
    ask: (region) =>
      new TranscribeClient({ region }).send(new ListTranscriptionJobsCommand({ MaxResults: 1 })),
  },
  'amazon-translate': {
    name: 'Amazon Translate',
    ask: (region) => new TranslateClient({ region }).send(new ListLanguagesCommand({ MaxResults: 1 })),
  },
  'amazon-polly': {
    name: 'Amazon Polly',
    ask: (region) => new PollyClient({ region }).send(new DescribeVoicesCommand({ LanguageCode: 'en-US' })),
  },
  'amazon-comprehend': {
    name: 'Amazon Comprehend',
    ask: (region) => new ComprehendClient({ region }).send(new ListEndpointsCommand({ MaxResults: 1 })),
  },
  rekognition,
  bedrock: {
    name: 'Amazon Bedrock',
    ask: (region, { BEDROCK_MODEL_ID: modelId }) =>
      new BedrockRuntimeClient({ region }).send(
        new ConverseCommand({
          modelId,
          messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
          inferenceConfig: { maxTokens: 1 },
        }),
      ),
  },
};

interface Asked {
  readonly engine: string;
  readonly service: string;
  readonly trouble: Advice | null;
}

export const services = check({
  title: 'Services',
  read: ({ target }) => Promise.all(enginesOf(target).map((engine) => asked(engine, target))),
  judge: (all, { name, region }) => {
    const missing = all.flatMap((one) => judged(one, name, region) ?? []);
    if (missing.length > 0) return missing;
    return well(`${all.map(({ service }) => service).join(', ')} answer in ${region}`);
  },
});

function enginesOf({ environment }: Target): string[] {
  const settings = choiceVariables(environment);
  const names = Object.entries(declarations).flatMap(([capability, engines]) => {
    const choice = choose(capability as Capability, engines, settings);
    return choice.status === 'available' ? [choice.engine.name] : [];
  });
  return [...new Set(names)].filter((name) => name in servicesOf);
}

async function asked(engine: string, { region, environment }: Target): Promise<Asked> {
  const { name: service, ask } = defined(servicesOf[engine]);
  try {
    await ask(region, choiceVariables(environment));
    return { engine, service, trouble: null };
  } catch (error) {
    return { engine, service, trouble: adviceOf(error) };
  }
}

function judged({ engine, service, trouble }: Asked, name: string, region: string): Judgement | null {
  if (trouble === null) return null;
  const model =
    engine === 'bedrock'
      ? ` Request access to the model in the console, Bedrock, Model access, in ${region}. BEDROCK_MODEL_ID in environments/${name}.ts names the model.`
      : '';
  return failing(`${service}: ${trouble.says}`, `${trouble.cure}${model}`);
}
