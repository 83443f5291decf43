import { describe, expect, it } from 'vitest';
import { groupsOf, MOST_GROUPS } from '../../lambdas/voice-over/rules/progress-parts.ts';
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
};

const machine = (name: string) =>
  JSON.parse(
    readDefinitions()
      .find((one) => one.name === name)!
      .body.replace(/\$\{(\w+)\}/g, (_, step) => functionArn(step)),
  );

interface Language {
  readonly language_id: string;
}

const made = (input: unknown) => {
  const { language_id } = input as Language;
  return { language_id, audio_track_id: 't', video: null };
};
const busy = new FunctionError('provider_unavailable', 'Busy.');
const speaking: Readonly<Record<string, FakeFunction>> = {
  PlanDub: () => ({ groups: groupsOf(20), mux: false }),
  SpeakSegments: () => ({}),
  MixDub: made,
};

async function spoken(languages: readonly string[], steps: Readonly<Record<string, FakeFunction>> = {}) {
  const count = languages.length;
  const functions: Record<string, FakeFunction> = {
    ...speaking,
    PlanVoiceOver: () => ({
      languages: languages.map((language_id, index) => ({ index, languages: count, language_id })),
    }),
    MuxDub: (input) => ({ ...(input as { made: object }).made, video: 'made' }),
    FinishVoiceOver: () => ({}),
    FailVoiceOver: () => ({}),
    ClearVoiceOver: () => ({}),
    ...steps,
  };
  const input = { ...job, kind: 'voice_over' };
  const outcome = await run({ definition: machine('VoiceOver'), functions, input });
  const payloadsOf = (step: string) =>
    outcome.invocations.filter(({ name }) => name === step).map(({ payload }) => payload as object);
  return { ...outcome, payloadsOf };
}

describe('a voice over', () => {
  it('speaks the groups of each language, mixes them, and reports the outcome of each language', async () => {
    const { status, payloadsOf } = await spoken(['es', 'fr', 'it']);
    expect(status).toBe('SUCCEEDED');
    expect(payloadsOf('SpeakSegments')).toHaveLength(6);
    expect(payloadsOf('SpeakSegments')[0]).toMatchObject({ ...job, languages: 3, groups: 2, group: {} });
    const ends = ['es', 'fr', 'it'].map((language_id) => made({ language_id }));
    expect(payloadsOf('FinishVoiceOver')).toEqual([{ ...job, kind: 'voice_over', ends }]);
    expect(payloadsOf('MuxDub')).toEqual([]);
  });

  it('makes videos if they are requested', async () => {
    const { payloadsOf } = await spoken(['es'], { PlanDub: () => ({ groups: [], mux: true }) });
    expect(payloadsOf('FinishVoiceOver')).toMatchObject([{ ends: [{ language_id: 'es', video: 'made' }] }]);
  });

  it('keeps the sound of a language whose video cannot be made, and reports the reason', async () => {
    const MuxDub: FakeFunction = () => {
      throw new FunctionError('timed_out', 'Too slow.');
    };
    const { payloadsOf } = await spoken(['es'], {
      PlanDub: () => ({ groups: [], mux: true }),
      MuxDub,
    });
    expect(payloadsOf('FinishVoiceOver')).toMatchObject([
      { ends: [{ ...made({ language_id: 'es' }), video_failure: { Error: 'timed_out' } }] },
    ]);
  });

  it.each(['PlanDub', 'SpeakSegments', 'MixDub'])(
    'continues with the other languages if %s fails for one, and reports the reason',
    async (step) => {
      const failing: FakeFunction = (input, context) => {
        if ((input as Language).language_id === 'de') throw busy;
        return speaking[step]!(input, context);
      };
      const { payloadsOf } = await spoken(['es', 'de'], { [step]: failing });
      const [{ ends }] = payloadsOf('FinishVoiceOver') as [{ ends: { failure?: { Error: string } }[] }];
      expect(ends.map(({ failure }) => failure?.Error)).toEqual([undefined, 'provider_unavailable']);
    },
  );

  it('is cleared if it was canceled, and fails if it cannot start', async () => {
    const FinishVoiceOver: FakeFunction = () => {
      throw new FunctionError('canceled', 'Somebody ended it.');
    };
    const { invocations } = await spoken(['es'], { FinishVoiceOver });
    expect(invocations.map(({ name }) => name).slice(-2)).toEqual(['FinishVoiceOver', 'ClearVoiceOver']);
    const PlanVoiceOver: FakeFunction = () => {
      throw new FunctionError('TypeError', 'inside');
    };
    const { payloadsOf } = await spoken([], { PlanVoiceOver });
    expect(payloadsOf('FailVoiceOver')).toMatchObject([{ failure: { Error: 'TypeError' } }]);
  });

  it('has room in its history and its payloads for twenty languages and ten thousand segments', async () => {
    // Step Functions quotas: "Maximum execution history size", "Maximum input or output size".
    const [MOST_EVENTS, MOST_BYTES] = [25_000, 256 * 1024];
    const groups = groupsOf(10_000);
    expect(groups).toHaveLength(MOST_GROUPS);
    const [one, other] = [
      await spoken(['es'], { PlanDub: () => ({ groups, mux: true }) }),
      await spoken(['es'], { PlanDub: () => ({ groups: groups.slice(1), mux: true }) }),
    ];
    expect(one.history.length - other.history.length).toBeLessThan(12);
    expect(20 * one.history.length).toBeLessThan(MOST_EVENTS * 0.5);
    expect(20 * JSON.stringify(groups).length).toBeLessThan(MOST_BYTES * 0.5);
  });
});

describe('a voice-over provider that is busy', () => {
  it('is called again for each group, for an hour and three quarters, and the history has room for this', async () => {
    const asked = new Map<unknown, number>();
    const SpeakSegments: FakeFunction = (input) => {
      const { group } = input as { group: { index: number } };
      const times = (asked.get(group.index) ?? 0) + 1;
      asked.set(group.index, times);
      if (times <= 3) throw busy;
      return {};
    };
    const PlanDub = () => ({ groups: groupsOf(10_000), mux: true });
    const throttled = await spoken(['es'], { PlanDub, SpeakSegments });
    expect(throttled.payloadsOf('FinishVoiceOver')).toMatchObject([{ ends: [{ language_id: 'es' }] }]);
    expect(20 * throttled.history.length).toBeLessThan(25_000);
    const gone: FakeFunction = () => {
      throw busy;
    };
    const ended = await spoken(['es'], { PlanDub, SpeakSegments: gone });
    expect(ended.payloadsOf('FinishVoiceOver')).toMatchObject([
      { ends: [{ failure: { Error: busy.name } }] },
    ]);
    expect(20 * ended.history.length).toBeLessThan(25_000);
  });
});

describe('an ingest', () => {
  it('speaks the languages of its template after their translation, and succeeds even if one language fails', async () => {
    const functions: Record<string, FakeFunction> = {
      ...speaking,
      CompleteUpload: () => ({}),
      ProbeMedia: () => ({ has_audio: true, has_video: false }),
      PrepareAudio: () => ({ audio: { key: 'audio', duration_ms: 1000 }, pieces: [] }),
      MergeTranscription: () => ({ translate: ['es', 'de', 'fr', 'it'], speak: ['es', 'de', 'fr'] }),
      DescribeSounds: () => ({ analyses: {} }),
      TranslateIngest: (input) => {
        const { language_id } = input as Language;
        if (language_id === 'de') throw busy;
        return { language_id, transcription_id: 't', version: 1, characters: 1 };
      },
      MixDub: (input) => {
        if ((input as Language).language_id === 'fr') throw busy;
        return made(input);
      },
      AnalyzeText: () => ({ analyses: {} }),
      FinishIngest: () => ({}),
    };
    const { status, invocations } = await run({ definition: machine('Ingest'), functions, input: job });
    expect(status).toBe('SUCCEEDED');
    const of = (step: string) =>
      invocations.filter(({ name }) => name === step).map(({ payload }) => payload as object);
    expect(of('PlanDub').map((input) => (input as Language).language_id)).toEqual(['es', 'fr']);
    expect(of('PlanDub')[1]).toMatchObject({ kind: 'ingest', index: 1, languages: 3 });
    expect(of('FinishIngest')).toMatchObject([
      {
        dubs: [
          made({ language_id: 'es' }),
          { language_id: 'fr', failure: { Error: 'provider_unavailable' } },
        ],
      },
    ]);
  });
});
