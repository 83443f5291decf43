import {
  CreateVocabularyCommand,
  GetTranscriptionJobCommand,
  LimitExceededException,
  StartTranscriptionJobCommand,
  TranscribeClient,
} from '@aws-sdk/client-transcribe';
import { beforeEach, describe, expect, it } from 'vitest';
import { type AmazonTranscribeParts, transcribeJobs } from '../../../engines/transcription/aws-transcribe.ts';
import {
  readTranscribeResult,
  type TranscribeResult,
} from '../../../engines/transcription/aws-transcribe-result.ts';
import { vocabularyTable } from '../../../engines/transcription/aws-transcribe-vocabulary.ts';
import { requestFor } from './conformance.ts';
import { answered, item, mark, result, service, simulate } from './transcribe-stand-in.ts';

const client = new TranscribeClient({ region: 'eu-central-1' });

const parts = (overrides: Partial<AmazonTranscribeParts> = {}): AmazonTranscribeParts => ({
  client,
  output_bucket: 'media',
  readObject: async () => JSON.stringify(result),
  writeObject: async () => {},
  ...overrides,
});
const piece = { index: 0, start_ms: 0, end_ms: 60_000 };
const request = (overrides = {}) => requestFor({ samples: new Uint8Array(), language: 'en-US' }, overrides);
const started = () => service.commandCalls(StartTranscriptionJobCommand)[0]!.args[0].input;

beforeEach(() => {
  service.reset();
  simulate();
});

describe('Amazon Transcribe', () => {
  it('keeps audio in one piece up to four hours, so that speakers stay the same', async () => {
    const engine = transcribeJobs(parts());
    expect(await engine.plan({ duration_ms: 4 * 3_600_000, utterances: [] })).toHaveLength(1);
  });

  it('has the tags of the environment, so that the bill can name it', async () => {
    await transcribeJobs(parts({ environment: 'prod' })).transcribe(piece, request());
    expect(started().Tags).toEqual([
      { Key: 'product', Value: 'kinora' },
      { Key: 'environment', Value: 'prod' },
    ]);
  });

  it('lets the service identify the language if none is given', async () => {
    await transcribeJobs(parts()).transcribe(piece, request({ language: null }));
    expect(started()).toMatchObject({ IdentifyLanguage: true });
    expect(started()).not.toHaveProperty('LanguageCode');
  });

  it.each([
    ['en', 'en-US'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-PT'],
    ['zh-Hant', 'zh-TW'],
    ['nb', 'no-NO'],
    ['de-AT', 'de-DE'],
    ['uk', 'uk-UA'],
  ])('maps %s to %s', async (language, code) => {
    await transcribeJobs(parts()).transcribe(piece, request({ language }));
    expect(started().LanguageCode).toBe(code);
  });

  it('starts one job per key, even if it is called repeatedly', async () => {
    const jobs = simulate();
    const engine = transcribeJobs(parts());
    expect(await engine.transcribe(piece, request())).toEqual({
      status: 'running',
      progress: null,
      retry_after_s: 10,
    });
    expect(await engine.transcribe(piece, request())).toMatchObject({ status: 'running' });
    expect(await engine.transcribe(piece, request())).toMatchObject({ status: 'done', language: 'en-US' });
    expect(jobs.size).toBe(1);
    await engine.transcribe(piece, request({ key: 'other' }));
    expect(jobs.size).toBe(2);
  });

  it('starts up to three jobs for a piece if the service fails, and then gives up', async () => {
    const jobs = simulate();
    const engine = transcribeJobs(parts());
    const fails = (FailureReason: string) => {
      const [last] = [...jobs.values()].slice(-1);
      service
        .on(GetTranscriptionJobCommand, { TranscriptionJobName: last!.TranscriptionJobName })
        .resolves({ TranscriptionJob: { ...last, TranscriptionJobStatus: 'FAILED', FailureReason } });
    };
    await engine.transcribe(piece, request());
    for (const begun of [2, 3]) {
      fails('Internal failure. Please try again.');
      expect(await engine.transcribe(piece, request())).toMatchObject({ status: 'running' });
      expect(jobs.size).toBe(begun);
    }
    fails('Internal failure. Please try again.');
    await expect(engine.transcribe(piece, request())).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(jobs.size).toBe(3);
  });

  it('starts no second job if that job would also fail', async () => {
    const jobs = simulate();
    const engine = transcribeJobs(parts());
    await engine.transcribe(piece, request());
    service.on(GetTranscriptionJobCommand).resolves({
      TranscriptionJob: { TranscriptionJobStatus: 'FAILED', FailureReason: 'Unsupported media format' },
    });
    await expect(engine.transcribe(piece, request())).rejects.toMatchObject({ code: 'media_unreadable' });
    expect(jobs.size).toBe(1);
  });

  it('deletes every job of a piece, and returns false while one is running', async () => {
    const jobs = simulate();
    const engine = transcribeJobs(parts());
    await engine.transcribe(piece, request());
    const [first] = [...jobs.keys()];
    jobs.set(`${first}-1`, { TranscriptionJobName: `${first}-1`, TranscriptionJobStatus: 'QUEUED' });
    jobs.get(first!)!.TranscriptionJobStatus = 'COMPLETED';
    expect(await engine.discard!(request().key)).toBe(false);
    expect([...jobs.keys()]).toEqual([`${first}-1`]);
    expect(await engine.discard!(request().key)).toBe(true);
    expect(jobs.size).toBe(0);
  });
});

describe('the custom vocabulary of Amazon Transcribe', () => {
  const terms = ['Kinora', 'New York Times', 'NDR', 'C++', 'VX02'];
  const vocabularies = () => service.commandCalls(CreateVocabularyCommand).map(({ args }) => args[0].input);
  const until = async (engine: ReturnType<typeof transcribeJobs>, asked: ReturnType<typeof request>) => {
    for (let looks = 0; looks < 10; looks += 1) {
      const { status } = await engine.transcribe(piece, asked);
      if (status === 'done') return;
    }
    expect.fail('the piece was never done');
  };

  it('is created once before the job starts, and deleted after the job has ended', async () => {
    const [jobs, kept] = [new Map(), new Map()];
    simulate(jobs, kept);
    const written = new Map<string, string>();
    const engine = transcribeJobs(parts({ writeObject: async (key, text) => void written.set(key, text) }));
    expect(await engine.transcribe(piece, request({ terms }))).toMatchObject({ status: 'running' });
    expect(jobs.size).toBe(0);
    await until(engine, request({ terms }));
    expect(vocabularies()).toHaveLength(1);
    const { VocabularyName, VocabularyFileUri, LanguageCode } = vocabularies()[0]!;
    expect([VocabularyName, LanguageCode]).toEqual([expect.stringMatching(/^kinora-/), 'en-US']);
    expect(started().Settings).toMatchObject({ VocabularyName });
    expect(VocabularyFileUri).toBe(`s3://media/${[...written.keys()][0]}`);
    expect([...written.values()]).toEqual([vocabularyTable(terms, 'en-US')]);
    expect(kept.size).toBe(0);
  });

  it('is skipped if the service rejects it', async () => {
    simulate(new Map(), new Map(), 'FAILED');
    await until(transcribeJobs(parts()), request({ terms }));
    simulate();
    service.resetHistory();
    await until(transcribeJobs(parts()), request({ terms, language: null, key: 'unknown' }));
    await until(transcribeJobs(parts()), request({ terms: ['C++'], key: 'unwritable' }));
    expect(vocabularies()).toEqual([]);
    expect(started().Settings).not.toHaveProperty('VocabularyName');
  });

  it('is awaited while the account is full, and later missing with a word about it', async () => {
    const kept = new Map<string, 'PENDING' | 'READY' | 'FAILED'>();
    const jobs = simulate(new Map(), kept);
    const engine = transcribeJobs(parts());
    service.on(CreateVocabularyCommand).rejects(new LimitExceededException(answered));
    const young = request({ terms, age_ms: 29 * 60_000 });
    expect(await engine.transcribe(piece, young)).toMatchObject({ status: 'running', retry_after_s: 10 });
    expect(jobs.size).toBe(0);
    const old = { terms, age_ms: 30 * 60_000, key: 'old' };
    const outcomes = [];
    for (let looks = 0; looks < 4; looks += 1) outcomes.push(await engine.transcribe(piece, request(old)));
    expect(outcomes.at(-1)).toMatchObject({ status: 'done', without_terms: true });
    expect(started().Settings).not.toHaveProperty('VocabularyName');
    // A place is free again: the job that waited gets its vocabulary.
    simulate(jobs, kept);
    await until(engine, young);
    expect([...jobs.values()].at(-1)?.Settings).toHaveProperty('VocabularyName');
  });

  it('is deleted with a canceled job, once it is ready', async () => {
    const kept = new Map<string, 'PENDING' | 'READY' | 'FAILED'>();
    simulate(new Map(), kept);
    const engine = transcribeJobs(parts());
    await engine.transcribe(piece, request({ terms }));
    expect(await engine.discard!(request().key)).toBe(false);
    expect(await engine.discard!(request().key)).toBe(true);
    expect(kept.size).toBe(0);
  });

  it('is a table with hyphens between words, dots after the letters of acronyms, no digits or symbols, and at most 50 KB', () => {
    const lines = vocabularyTable(terms, 'en-US')!
      .split('\n')
      .map((line) => line.split('\t'));
    expect(lines).toEqual([
      ['Phrase', 'SoundsLike', 'IPA', 'DisplayAs'],
      ['Kinora', '', '', 'Kinora'],
      ['New-York-Times', '', '', 'New York Times'],
      ['NDR', '', '', 'NDR'],
      ['N.D.R.', '', '', 'NDR'],
      [''],
    ]);
    const many = Array.from({ length: 9000 }, (_, at) =>
      [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join(''),
    );
    expect(Buffer.byteLength(vocabularyTable(many, 'en-US')!)).toBeLessThanOrEqual(50_001);
    expect(vocabularyTable(['12', '...', '-'], 'en-US')).toBeNull();
  });

  it.each([
    [
      'en-US',
      ['José', 'Straße', 'Łódź', 'O’Neill'],
      [
        ['Jose', 'José'],
        ["O'Neill", 'O’Neill'],
      ],
    ],
    [
      'es-ES',
      ['José', 'pingüino', 'Zoë'],
      [
        ['José', 'José'],
        ['pingüino', 'pingüino'],
        ['Zoe', 'Zoë'],
      ],
    ],
    [
      'ru-RU',
      ['Москва', 'США', 'Kinora'],
      [
        ['москва', 'Москва'],
        ['сша', 'США'],
        ['с.ш.а.', 'США'],
      ],
    ],
    ['hi-IN', ['बड़ा'], [['ब\u095cा', 'बड़ा']]],
    ['sv-SE', ['Åsa'], [['Åsa', 'Åsa']]],
  ] as const)(
    'have only characters of %s, because one unsupported character invalidates the vocabulary',
    (language, words, rows) => {
      const lines = vocabularyTable(words, language)!.trim().split('\n').slice(1);
      expect(lines.map((line) => line.split('\t\t\t'))).toEqual(rows);
    },
  );
});

describe('readTranscribeResult', () => {
  it('joins punctuation to the previous word, and names speakers', () => {
    expect(readTranscribeResult(JSON.stringify(result), 1000).words).toEqual([
      { text: "I've", start_ms: 1870, end_ms: 2020, confidence: 0.98, speaker: 'Speaker 1' },
      { text: 'waited.', start_ms: 2020, end_ms: 2640, confidence: 0.98, speaker: 'Speaker 1' },
      { text: 'Sorry!', start_ms: 2700, end_ms: 2980, confidence: 0.98, speaker: 'Speaker 2' },
    ]);
  });

  it('finds speakers in the older format, which keeps them separate from the items', () => {
    const older: TranscribeResult = {
      results: {
        items: [item('Yes', '1.0', '1.2'), item('no', '1.3', '1.5')],
        speaker_labels: {
          segments: [
            { items: [{ start_time: '1.0', end_time: '1.2', speaker_label: 'spk_1' }] },
            { items: [{ start_time: '1.3', end_time: '1.5', speaker_label: 'spk_0' }] },
          ],
        },
      },
    };
    expect(readTranscribeResult(JSON.stringify(older), 0).words.map(({ speaker }) => speaker)).toEqual([
      'Speaker 2',
      'Speaker 1',
    ]);
  });

  it('leaves out missing speakers, and punctuation without a previous word', () => {
    const result = { results: { items: [mark('.'), item('Yes', '1', '2')] } };
    expect(readTranscribeResult(JSON.stringify(result), 0).words).toEqual([
      { text: 'Yes', start_ms: 1000, end_ms: 2000, confidence: 0.98 },
    ]);
  });
});
