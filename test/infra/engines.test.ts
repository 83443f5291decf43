import { App, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, environmentOf } from '../../lib/environments.ts';
import {
  choiceVariables,
  engineStatements,
  engineVariables,
  localSettings,
} from '../../lib/shared/engines.ts';
import { ofType, shipped, synthesize, type Templates } from './assembly.ts';

const stack = new Stack(new App(), 'Stack');
const resources = { media: new Bucket(stack, 'Media'), secretsKey: new Key(stack, 'Key') };
const dev = environmentOf('dev', shipped.dev);

let templates: Templates;
beforeAll(() => {
  templates = synthesize('dev');
});

describe('the engines of an environment', () => {
  it('add their settings only to the functions that use them', () => {
    const having = (name: string) =>
      [templates.Api, templates.Jobs]
        .flatMap((template) => ofType(template, 'AWS::Lambda::Function'))
        .filter(([, { Properties }]) => name in (Properties.Environment?.Variables ?? {}))
        .map(([id]) => id)
        .sort();
    const exporting = ['ClearExport', 'ExternalStorages', 'FailExport', 'WriteExport'];
    expect(having('EXPORT_ACCOUNT')).toEqual(exporting);
    expect(having('SECRETS_KEY_ARN')).toEqual(['Channels', 'DeliverEvent', ...exporting, 'Webhooks'].sort());
    const rendering = ['JoinClip', 'PlanClip', 'RenderChunk', 'RenderSound'];
    const looking = ['LookAtPictures', 'MergePictures', 'PlanPictures'];
    const dubbing = ['MixDub', 'MuxDub', 'SpeakSegments'];
    expect(having('FFMPEG_PATH')).toEqual(
      ['CheckBrandingFile', 'PrepareAudio', 'ProbeMedia', ...looking, ...dubbing, ...rendering].sort(),
    );
  });

  it('can be changed by the environment, with their settings and permissions', () => {
    const own: Environment = {
      ...dev,
      engineOverrides: { transcription: 'sherpa-onnx' },
      engineSettings: { SHERPA_MODEL_DIR: '/opt/model' },
    };
    const uses = { transcription: ['transcribe'] } as const;
    expect(choiceVariables(own)).toEqual({
      ENGINES: 'aws',
      ENGINE_TRANSCRIPTION: 'sherpa-onnx',
      SHERPA_MODEL_DIR: '/opt/model',
    });
    expect(engineStatements(uses, own, resources)).toEqual([]);
    expect(engineStatements(uses, dev, resources)).not.toEqual([]);
    expect(Object.keys(engineVariables(uses, dev, resources))).toEqual(['MEDIA_BUCKET']);
  });

  it('can be a Bedrock model, which only functions that translate may call, also through inference profiles', () => {
    const own: Environment = {
      ...dev,
      engineOverrides: { translation: 'bedrock' },
      engineSettings: { BEDROCK_MODEL_ID: 'amazon.nova-lite-v1:0' },
    };
    const [statement, ...others] = engineStatements({ translation: ['translate'] }, own, resources);
    expect(others).toEqual([]);
    expect(statement!.actions).toEqual(['bedrock:InvokeModel']);
    expect(statement!.resources.map((arn) => arn.replace(/\$\{Token\[[^\]]*\]\}/g, '…'))).toEqual([
      'arn:…:bedrock:*::foundation-model/amazon.nova-lite-v1:0',
      'arn:…:bedrock:…:…:inference-profile/*amazon.nova-lite-v1:0',
    ]);
  });

  it.each(['ENGINES', 'EDGE_SECRET', 'NODE_OPTIONS', 'REACHABLE_ADDRESSES', 'ENGINE_OCR', 'constructor'])(
    'have no setting %s, because no engine declares it',
    (name) => {
      const own: Environment = { ...dev, engineSettings: { [name]: 'local' } };
      expect(() => choiceVariables(own)).toThrow(`no engine declares ${name}`);
    },
  );

  it('fail the synthesis if a secret is among the settings, because the template would contain it', () => {
    const own: Environment = { ...dev, engineSettings: { VOICE_CLONING_KEY: 'a key' } };
    expect(() => choiceVariables(own)).toThrow('VOICE_CLONING_KEY is a secret');
  });

  it('can be a voice cloning service; only the steps that clone can decrypt its key', () => {
    const own: Environment = {
      ...dev,
      engineSettings: { VOICE_CLONING_URL: 'https://voices.example', VOICE_CLONING_CIPHERTEXT: 'AQID' },
    };
    const [statement, ...others] = engineStatements({ voice_cloning: ['speak'] }, own, resources);
    expect(others).toEqual([]);
    expect([statement!.actions, statement!.conditions]).toEqual([
      ['kms:Decrypt'],
      { StringEquals: { 'kms:EncryptionContext:purpose': 'voice-cloning' } },
    ]);
    expect(engineStatements({ voice_cloning: ['speak'] }, dev, resources)).toEqual([]);
  });

  it('fail the synthesis if an engine is unknown or lacks a setting', () => {
    const named = (transcription: string) => () =>
      engineStatements(
        { transcription: ['transcribe'] },
        { ...dev, engineOverrides: { transcription } },
        resources,
      );
    expect(named('whisper')).toThrow('The engines for transcription are:');
    expect(named('sherpa-onnx')).toThrow('SHERPA_MODEL_DIR');
  });
});

describe('the template', () => {
  it('tells the local cloud the settings of the engines that run on the local machine', () => {
    expect(templates.Jobs.Metadata?.['kinora:local-settings']).toEqual(localSettings());
    expect(localSettings()).toMatchObject({
      FFMPEG_PATH: { program: 'ffmpeg' },
      POCKETSPHINX_PATH: { program: 'pocketsphinx_batch' },
      SHERPA_MODEL_DIR: {},
      ENGINE_TRANSCRIPTION: {},
    });
  });
});
