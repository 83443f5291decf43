/** Sends a talk of an hour through a separate local cloud, and compares the subtitles with what was said. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { jobEnd, uploadAsset } from '../client/index.ts';
import { parseVtt } from '../lambdas/subtitles/rules/vtt.ts';
import { defined, itemAt } from '../shared/checked-access.ts';
import { type LocalCloud, localCloud } from '../test/support/local-cloud.ts';
import { makeTalk, type Talk } from '../test/support/talk.ts';
import { type HeardSegment, scoresOf } from '../test/support/talk-scores.ts';
import { inFolder } from './kit.ts';
import type { Report, Row } from './report.ts';

const MINUTES = Number(process.env.TALK_MINUTES ?? 60);
/** The maximum number of characters per second in a cue: lambdas/subtitles/rules/limits.ts. */
const READING_SPEED = 20;
/** The minimum duration of a cue: lambdas/subtitles/rules/limits.ts. */
const SHORTEST_CUE_MS = 833;
const NEAR_MS = 400;

export const run = (): Promise<Report> =>
  inFolder(async (dir) => {
    process.stderr.write(`making a talk of ${MINUTES} minutes\n`);
    const talk = await makeTalk({ minutes: MINUTES, seed: 9, dir, format: 'm4a' });
    process.stderr.write('through the local cloud\n');
    const cloud = await localCloud();
    try {
      return report(talk, await throughCloud(cloud, talk.file));
    } finally {
      await cloud.remove();
    }
  });

interface Passage {
  readonly seconds: number;
  readonly stillSeconds: number;
  readonly segments: readonly HeardSegment[];
  readonly vtt: string;
}

/** Uploads and processes the talk. Measures the whole time, and the longest time without progress. */
async function throughCloud({ kinora }: LocalCloud, file: string): Promise<Passage> {
  const { asset_id } = await kinora.createAsset({ body: { filename: basename(file) } });
  const started = performance.now();
  const { job_id } = await uploadAsset(kinora, asset_id, await openAsBlob(file));
  let moved = performance.now();
  let still = 0;
  let last = -1;
  const look = () => kinora.getIngestJob({ asset_id, job_id });
  const { result } = await jobEnd(look, ({ progress }) => {
    if (progress !== last) moved = performance.now();
    last = progress;
    still = Math.max(still, performance.now() - moved);
  });
  const seconds = (performance.now() - started) / 1000;
  const one = { asset_id, transcription_id: itemAt(defined(result).transcription_ids as string[], 0) };
  const { segments } = await kinora.getTranscription(one);
  const vtt = await kinora.getVtt({ ...one, flavor: 'simplified', include_sound_descriptions: false });
  return { seconds, stillSeconds: still / 1000, segments, vtt };
}

function report(talk: Talk, ours: Passage): Report {
  const scores = scoresOf(talk, ours.segments);
  const cues = parseVtt(ours.vtt).cues;
  const speedOf = ({ lines, start_ms, end_ms }: (typeof cues)[number]) =>
    ([...lines.join(' ')].length * 1000) / (end_ms - start_ms);
  const starts = scores.start_errors_ms;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const rows: Row[] = [
    ['sentences said', talk.sentences.length],
    ['word error rate', percent(scores.word_error_rate)],
    ['sentence starts: median error, ms', starts[starts.length >> 1] ?? 0],
    ['sentence starts: largest error, ms', starts.at(-1) ?? 0],
    [`sentence starts further off than ${NEAR_MS} ms`, starts.filter((error) => error > NEAR_MS).length],
    [`sentences without a segment that begins within ${NEAR_MS} ms`, scores.sentences_without_segment],
    ['shortest word, ms', scores.shortest_word_ms],
    ['words in music, noise and silence', scores.words_outside_of_speech.length],
    ['time with the wrong speaker', percent(scores.speaker_error)],
    ['segments across the end of a sentence', scores.segments_across_sentences.length],
    ['cues', cues.length],
    [
      `cues above ${READING_SPEED} characters a second`,
      cues.filter((cue) => speedOf(cue) > READING_SPEED).length,
    ],
    ['fastest cue, characters a second', Math.max(...cues.map(speedOf)).toFixed(1)],
    [
      `cues shorter than ${SHORTEST_CUE_MS} ms`,
      cues.filter(({ start_ms, end_ms }) => end_ms - start_ms < SHORTEST_CUE_MS).length,
    ],
    ['longest time without progress, s', ours.stillSeconds.toFixed(1)],
    ['upload to subtitles, s', ours.seconds.toFixed(1)],
  ].map(([name, value]) => ({ name: String(name), values: [defined(value)] }));
  return {
    title: `A talk of ${MINUTES} minutes`,
    method:
      'Flite voices that take turns, with pauses, music and noise between, as AAC. The reference is never written to disk. Upload, extraction, recognition and segments through a separate local cloud.',
    columns: ['value'],
    rows,
    void: null,
  };
}
