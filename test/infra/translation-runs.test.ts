import { describe, expect, it } from 'vitest';
import { readDefinitions } from '../../lib/jobs/definitions.ts';
import {
  type FakeFunction,
  FunctionError,
  functionArn,
  run,
} from '../../local/test/stepfunctions/harness.ts';

const job = {
  tenant: 'demo',
  asset_id: '019a9d2c-7b1e-7c55-9d5a-6f2f0e6c1a11',
  job_id: '019a9d2d-0c4f-7b62-8f7b-0d1f4c0f5d2e',
  kind: 'translation',
};

const machine = (name: string) =>
  JSON.parse(
    readDefinitions()
      .find((one) => one.name === name)!
      .body.replace(/\$\{(\w+)\}/g, (_, step) => functionArn(step)),
  );

const made = (language_id: string) => ({ language_id, transcription_id: 't', version: 1, characters: 9 });
const busy = new FunctionError('language_unsupported', 'No way leads there.');

async function translated(languages: readonly string[], steps: Readonly<Record<string, FakeFunction>> = {}) {
  const functions: Record<string, FakeFunction> = {
    PlanTranslation: () => ({ languages: languages.map((language_id, index) => ({ index, language_id })) }),
    TranslateLanguage: (input) => made((input as { language_id: string }).language_id),
    FinishTranslation: () => ({}),
    FailTranslation: () => ({}),
    ClearTranslation: () => ({}),
    ...steps,
  };
  const outcome = await run({ definition: machine('Translation'), functions, input: job });
  const payloadsOf = (step: string) =>
    outcome.invocations.filter(({ name }) => name === step).map(({ payload }) => payload);
  return { ...outcome, payloadsOf };
}

describe('a translation', () => {
  it.each([[['es']], [['es', 'fr', 'it', 'ca', 'pt']]])(
    'into %j reports how each language ended',
    async (languages) => {
      const { status, payloadsOf } = await translated(languages);
      expect(status).toBe('SUCCEEDED');
      expect(
        payloadsOf('TranslateLanguage')
          .map((input) => (input as { index: number }).index)
          .sort(),
      ).toEqual(languages.map((_, index) => index));
      expect(payloadsOf('FinishTranslation')).toEqual([{ ...job, ends: languages.map(made) }]);
    },
  );

  it('continues with the other languages if one fails, and reports the reason', async () => {
    const TranslateLanguage: FakeFunction = (input) => {
      const { language_id } = input as { language_id: string };
      if (language_id === 'de') throw busy;
      return made(language_id);
    };
    const { payloadsOf } = await translated(['es', 'de', 'fr'], { TranslateLanguage });
    const [{ ends }] = payloadsOf('FinishTranslation') as [{ ends: { failure?: { Error: string } }[] }];
    expect(ends.map(({ failure }) => failure?.Error)).toEqual([undefined, 'language_unsupported', undefined]);
  });

  it('is cleared if it was canceled', async () => {
    const FinishTranslation: FakeFunction = () => {
      throw new FunctionError('canceled', 'Somebody ended it.');
    };
    const { status, invocations } = await translated(['es'], { FinishTranslation });
    expect(status).toBe('SUCCEEDED');
    expect(invocations.map(({ name }) => name).slice(-2)).toEqual(['FinishTranslation', 'ClearTranslation']);
  });

  it('fails if it cannot start', async () => {
    const PlanTranslation: FakeFunction = () => {
      throw new FunctionError('TypeError', 'inside');
    };
    const { payloadsOf } = await translated([], { PlanTranslation });
    expect(payloadsOf('FailTranslation')).toMatchObject([{ failure: { Error: 'TypeError' } }]);
  });
});

describe('an ingest', () => {
  const ingested = async (translate: readonly string[]) => {
    const functions: Record<string, FakeFunction> = {
      CompleteUpload: () => ({}),
      ProbeMedia: () => ({ has_audio: true, has_video: false }),
      PrepareAudio: () => ({ audio: { key: 'audio', duration_ms: 1000 }, pieces: [{ index: 0 }] }),
      TranscribePiece: () => ({ status: 'done', retry_after_s: 0 }),
      MergeTranscription: () => ({ translate }),
      DescribeSounds: () => ({ analyses: {} }),
      TranslateIngest: (input) => {
        const { language_id } = input as { language_id: string };
        if (language_id === 'de') throw busy;
        return made(language_id);
      },
      AnalyzeText: () => ({ analyses: {} }),
      FinishIngest: () => ({}),
      FailIngest: () => ({}),
      ClearIngest: () => ({ quiet: true }),
    };
    const { invocations } = await run({ definition: machine('Ingest'), functions, input: job });
    return invocations.find(({ name }) => name === 'FinishIngest')!.payload;
  };

  it('translates into the languages of its template, and succeeds even if one language fails', async () => {
    expect(await ingested(['es', 'de'])).toMatchObject({
      translations: [made('es'), { language_id: 'de', failure: { Error: 'language_unsupported' } }],
    });
    expect(await ingested([])).toMatchObject({ translations: [] });
  });
});
