import { describe, expect, it } from 'vitest';
import { covers, type EngineDeclaration } from '../../engines/engine.ts';
import { transcription } from '../../engines/registry.ts';
import { availabilityOf, choose, overrideOf, settingsFor } from '../../engines/selection.ts';

const engine = (overrides: Partial<EngineDeclaration>): EngineDeclaration => ({
  name: 'one',
  runs: ['local'],
  languages: 'any',
  settings: {},
  permissions: {},
  ...overrides,
});
const described = { description: 'Folder of a model' };

const chosenFor = (settings: Record<string, string>) => {
  const choice = choose('transcription', transcription, settings);
  return choice.status === 'available' ? choice.engine.name : choice.reason;
};

describe('the engine for transcription', () => {
  it.each([
    ['Amazon Transcribe in an AWS account', {}, 'amazon-transcribe'],
    ['PocketSphinx on one machine', { ENGINES: 'local' }, 'pocketsphinx'],
    [
      'sherpa-onnx on a machine with a model',
      { ENGINES: 'local', SHERPA_MODEL_DIR: '/model' },
      'sherpa-onnx',
    ],
    ['PocketSphinx if the model folder is empty', { ENGINES: 'local', SHERPA_MODEL_DIR: '' }, 'pocketsphinx'],
    [
      'the one that its setting names',
      { ENGINES: 'aws', ENGINE_TRANSCRIPTION: 'pocketsphinx' },
      'pocketsphinx',
    ],
  ])('is %s', (_, settings, name) => {
    expect(chosenFor(settings)).toBe(name);
  });

  it('is missing if its setting names an unknown engine, and the reason lists the known ones', () => {
    expect(chosenFor({ ENGINE_TRANSCRIPTION: 'whisper' })).toBe(
      'ENGINE_TRANSCRIPTION is "whisper". The engines for transcription are: amazon-transcribe, sherpa-onnx, pocketsphinx.',
    );
  });

  it('is missing if the named engine lacks a setting of the operator', () => {
    expect(chosenFor({ ENGINE_TRANSCRIPTION: 'sherpa-onnx' })).toBe(
      'The engine sherpa-onnx needs SHERPA_MODEL_DIR (Folder of an unpacked sherpa-onnx model).',
    );
  });
});

describe('a capability', () => {
  it('is unavailable without an engine, and gives the reason', () => {
    expect(availabilityOf('sound_events', [], { ENGINES: 'local' })).toEqual({
      status: 'unavailable',
      reason: 'Kinora has no engine for sound events yet. Add one in engines/registry.ts.',
    });
  });

  it('is unavailable if its engines run elsewhere, and says how to choose one', () => {
    expect(availabilityOf('ocr', [engine({ runs: ['aws'] })], { ENGINES: 'local' })).toEqual({
      status: 'unavailable',
      reason: 'No engine for ocr runs with ENGINES=local. ENGINE_OCR can be: one.',
    });
    expect(overrideOf('sound_events')).toBe('ENGINE_SOUND_EVENTS');
  });

  it('is available only in the languages of its engine, regardless of the region', () => {
    const engines = [engine({ languages: ['en', 'pt-BR'] })];
    const settings = { ENGINES: 'local' };
    for (const language of [undefined, 'en', 'en-GB', 'pt', 'PT-pt'])
      expect(availabilityOf('speech', engines, settings, { language }), language).toEqual({
        status: 'available',
      });
    expect(availabilityOf('speech', engines, settings, { language: 'es' })).toEqual({
      status: 'unavailable',
      reason: 'The engine in use (one) does not support speech in "es". It supports: en, pt-BR.',
    });
    expect(covers('any', 'tlh')).toBe(true);
  });

  it('says how to get more languages, if its engine says so', () => {
    const moreLanguages = 'Install more.';
    const speaks = (languages: readonly string[]) =>
      availabilityOf(
        'speech',
        [engine({ languages, moreLanguages })],
        { ENGINES: 'local' },
        { language: 'tlh' },
      );
    expect(speaks(['en'])).toMatchObject({
      reason: expect.stringMatching(/It supports: en\. Install more\.$/),
    });
    const many = Array.from({ length: 20 }, (_, i) => `q${String.fromCharCode(97 + i)}a`);
    expect(speaks(many)).toMatchObject({
      reason: expect.stringMatching(/`GET \/v1\/languages` lists its languages\. Install more\.$/),
    });
  });

  it('needs no setting that a deployment sets itself', () => {
    const deployed = engine({ settings: { BUCKET: { ...described, deployed: '{media_bucket}' } } });
    expect(availabilityOf('ocr', [deployed], { ENGINES: 'local' })).toEqual({ status: 'available' });
    expect(availabilityOf('ocr', [engine({ settings: { MODEL: described } })], { ENGINES: 'local' })).toEqual(
      {
        status: 'unavailable',
        reason: 'The engine one needs MODEL (Folder of a model).',
      },
    );
  });
});

describe('the settings of an engine', () => {
  const declared = engine({ settings: { MODEL: described, THREADS: { ...described, default: '2' } } });

  it('are only the declared ones, with their defaults', () => {
    expect(settingsFor(declared, { MODEL: '/m', SECRET: 'x' })).toEqual({ MODEL: '/m', THREADS: '2' });
    expect(settingsFor(declared, { MODEL: '/m', THREADS: '4' })).toEqual({ MODEL: '/m', THREADS: '4' });
  });

  it('are rejected if one has no value', () => {
    expect(() => settingsFor(declared, {})).toThrow('The engine one needs MODEL: Folder of a model');
  });
});
