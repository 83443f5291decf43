import { App, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, environments } from '../../lib/environments.ts';
import {
  choiceVariables,
  engineStatements,
  engineVariables,
  localSettings,
} from '../../lib/shared/engines.ts';
import { ofType, synthesize, type Templates } from './assembly.ts';

const stack = new Stack(new App(), 'Stack');
const resources = { media: new Bucket(stack, 'Media'), secretsKey: new Key(stack, 'Key') };
const { dev } = environments;

let templates: Templates;
beforeAll(() => {
  templates = synthesize('dev');
});

describe('the engines of an environment', () => {
  it('bring their settings to the functions that use them, and to no others', () => {
    const having = (name: string) =>
      [templates.Api, templates.Jobs]
        .flatMap((template) => ofType(template, 'AWS::Lambda::Function'))
        .filter(([, { Properties }]) => name in (Properties.Environment?.Variables ?? {}))
        .map(([id]) => id)
        .sort();
    expect(having('SECRETS_KEY_ARN')).toEqual(['Channels', 'DeliverEvent', 'ExternalStorages', 'Webhooks']);
    expect(having('FFMPEG_PATH')).toEqual([
      ...['CheckBrandingFile', 'MixDub', 'MuxDub', 'PrepareAudio', 'ProbeMedia', 'SpeakSegments'],
    ]);
  });

  it('are another where the environment names it, with its settings and its permissions', () => {
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

  it('do not synthesize where the name is none, or lacks a setting', () => {
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
  it('tells the local cloud the settings of the engines of one machine', () => {
    expect(templates.Jobs.Metadata?.['kinora:local-settings']).toEqual(localSettings());
    expect(localSettings()).toMatchObject({
      FFMPEG_PATH: { program: 'ffmpeg' },
      POCKETSPHINX_PATH: { program: 'pocketsphinx_batch' },
      SHERPA_MODEL_DIR: {},
      ENGINE_TRANSCRIPTION: {},
    });
  });
});
