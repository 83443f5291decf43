import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadAsset } from '../../client/index.ts';
import { parseVtt } from '../../lambdas/subtitles/rules/vtt.ts';
import { type LocalCloud, localCloud } from '../support/local-cloud.ts';
import { makeTalk } from '../support/talk.ts';
import { type HeardSegment, scoresOf, type TalkScores } from '../support/talk-scores.ts';
import { ended } from './support.ts';

/** Long enough for several pieces. `npm run bench -- talk` tests an hour. */
const MINUTES = 4;
/** The progress at which the cloud is killed: some pieces are transcribed, others are not. */
const KILLED_AT = 0.5;

let cloud: LocalCloud;
let folder: string;
let scores: TalkScores;
let cues: ReturnType<typeof parseVtt>['cues'];
let fast: Set<number>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kinora-talk-'));
  cloud = await localCloud();
  const talk = await makeTalk({ minutes: MINUTES, seed: 9, dir: folder, format: 'm4a' });
  const { asset_id } = await cloud.kinora.createAsset({ body: { filename: 'talk.m4a' } });
  const { job_id } = await uploadAsset(cloud.kinora, asset_id, await openAsBlob(talk.file));
  while ((await cloud.kinora.getIngestJob({ asset_id, job_id })).progress < KILLED_AT) await sleep(100);
  await cloud.killAll();
  await cloud.start();
  const job = await ended(cloud, asset_id, job_id);
  const [transcription_id] = job.result!.transcription_ids as string[];
  const path = `/v1/assets/${asset_id}/transcriptions/${transcription_id}`;
  const { json } = await cloud.call('GET', path);
  const segments: (HeardSegment & { qc: { code: string }[] })[] = json.segments;
  scores = scoresOf(talk, segments);
  fast = new Set(
    segments
      .filter(({ qc }) => qc.some(({ code }) => code === 'fast_speech'))
      .map(({ start_ms }) => start_ms),
  );
  const { text } = await cloud.call('GET', `${path}/vtt?flavor=simplified&include_sound_descriptions=false`);
  cues = parseVtt(text).cues;
}, 900_000);
afterAll(async () => {
  await cloud.remove();
  await rm(folder, { recursive: true });
});

describe('a talk of four minutes, after kill -9 of the whole cloud in the middle', () => {
  it('is transcribed with the right words, times and speakers', () => {
    expect(scores.word_error_rate).toBeLessThan(0.12);
    expect(scores.start_errors_ms.at(-1)).toBeLessThanOrEqual(400);
    expect(scores.sentences_without_segment).toBe(0);
    expect(scores.speaker_error).toBeLessThan(0.2);
  });

  it('has no words outside of speech, and none shorter than 30 ms', () => {
    expect(scores.words_outside_of_speech).toEqual([]);
    expect(scores.shortest_word_ms).toBeGreaterThanOrEqual(30);
  });

  it('becomes readable cues, each within one sentence', () => {
    expect(scores.segments_across_sentences).toEqual([]);
    expect(cues.length).toBeGreaterThan(MINUTES * 5);
    const tooShort = cues.filter(({ start_ms, end_ms }) => end_ms - start_ms < 833);
    expect(tooShort).toEqual([]);
    const tooFast = cues.filter(
      ({ lines, start_ms, end_ms }) => [...lines.join(' ')].length * 1000 > 20 * (end_ms - start_ms),
    );
    expect(tooFast.filter(({ start_ms }) => !fast.has(start_ms))).toEqual([]);
  });
});
