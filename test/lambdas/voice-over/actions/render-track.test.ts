import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { espeak } from '../../../../engines/speech/espeak.ts';
import type { DubPiece } from '../../../../lambdas/voice-over/actions/dub-timeline.ts';
import { fittedSpeech } from '../../../../lambdas/voice-over/actions/fit-speech.ts';
import { type Dub, type Dubbing, renderTrack } from '../../../../lambdas/voice-over/actions/render-track.ts';
import { hasEspeak } from '../../../engines/speech/espeak-installed.ts';
import { fixturePath, makeMedia, opened, pcmOf, tools } from '../../../fixtures/media.ts';

const execute = promisify(execFile);

/** Returns the summary of ffmpeg's ebur128 filter for a file. */
async function refereed(file: string) {
  const { stderr } = await execute('ffmpeg', [
    ...['-nostdin', '-hide_banner', '-nostats', '-i', file, '-af', 'ebur128=peak=true', '-f', 'null', '-'],
  ]);
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  const [, lufs] = /I:\s+(-?[\d.]+) LUFS/.exec(summary) ?? [];
  const [, peak] = /Peak:\s+(-?[\d.]+|-inf) dBFS/.exec(summary) ?? [];
  return { lufs: Number(lufs), peak: Number(peak) };
}

async function streamsOf(file: string) {
  const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', file];
  const { stdout } = await execute('ffprobe', args);
  return JSON.parse(stdout) as {
    streams: { codec_name: string; channels: number; sample_rate: string; duration: string }[];
    format: { duration: string };
  };
}

/** The root mean square of a part of the sound, dB below full scale. */
async function levelIn(file: string, from_ms: number, to_ms: number): Promise<number> {
  const pcm = (await pcmOf(file)).subarray(from_ms * 32, to_ms * 32);
  let sum = 0;
  for (let at = 0; at < pcm.length; at += 2) sum += (pcm.readInt16LE(at) / 32768) ** 2;
  return 10 * Math.log10(sum / (pcm.length / 2) + 1e-12);
}

const stereo = (filter: string) => [
  ...['-f', 'lavfi', '-i', `${filter},aformat=channel_layouts=stereo`, '-c:a', 'flac'],
];
const music = (seconds: number, volume = '0.2') =>
  stereo(`aevalsrc='${volume}*(sin(2*PI*t*330)+sin(2*PI*t*494))':s=44100:d=${seconds}`);

async function dubbed(
  file: string | null,
  more: Partial<Dub> & { name: string; track?: number },
  dubbing: Partial<Dubbing> = {},
) {
  const { name, track: number = 1, ...others } = more;
  const output = fixturePath(`${name}.m4a`);
  const silence = { pieces: [], speech_spans: [], mute_original_voice: false };
  const given = { ...silence, duration_ms: 8000, language: 'spa', output, ...others };
  const run = (original: Dub['original']) => renderTrack({ original, ...given }, { tools, ...dubbing });
  const track =
    file === null ? await run(null) : await opened(file, (media) => run({ media, track: number }));
  return { output, track };
}

describe.skipIf(!hasEspeak())('a dubbed track', () => {
  const pieces: DubPiece[] = [];
  beforeAll(async () => {
    const engine = await espeak.make({ settings: { ESPEAK_PATH: 'espeak-ng' } });
    const texts = ['Buenos días a todos.', 'Esto es una prueba de la voz.', 'Hasta luego.'];
    for (const [at, text] of texts.entries()) {
      const voice = { language: 'es', voice: at % 2 ? 'm3' : 'f2' };
      const piece = { text, slot_ms: 1800, room_ms: 400 };
      const { samples, report } = await fittedSpeech(piece, voice, { engine, tools });
      pieces.push({ start_ms: 500 + 2400 * at, samples, overflow_ms: report.overflow_ms });
    }
  });

  it('has the loudness of EBU R128, without a clipped peak, and the duration of its media', async () => {
    const file = await makeMedia('music.mka', music(8));
    const told: number[] = [];
    const given = { name: 'r128', pieces, speech_spans: [{ start_ms: 400, end_ms: 7000 }] };
    const { output, track } = await dubbed(file, given, { onProgress: (fraction) => told.push(fraction) });
    const { lufs, peak } = await refereed(output);
    expect(Math.abs(lufs + 23)).toBeLessThan(1);
    expect(peak).toBeLessThanOrEqual(-1);
    expect(Math.abs(track.integrated_lufs! - lufs)).toBeLessThan(0.2);
    expect(Math.abs(track.true_peak_dbtp! - peak)).toBeLessThan(0.2);
    const { streams, format } = await streamsOf(output);
    expect(streams).toMatchObject([{ codec_name: 'aac', channels: 2, sample_rate: '48000' }]);
    expect(Math.abs(Number(format.duration) - 8)).toBeLessThan(0.001);
    expect(track).toMatchObject({ displaced: [], duration_ms: 8000, channels: 2, codec: 'aac' });
    // The function reported progress and left no other file.
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.length).toBeGreaterThan(10);
    expect(told.at(-1)).toBeGreaterThan(0.98);
    expect(filesOf(output)).toEqual([basename(output)]);
  });

  it('for media without sound is only the speech, in one channel, at the time of each segment to 50 ms', async () => {
    const { output, track } = await dubbed(null, { name: 'placed', pieces });
    expect(Math.abs((await refereed(output)).lufs + 23)).toBeLessThan(1);
    expect(track.channels).toBe(1);
    expect(Number((await streamsOf(output)).format.duration)).toBeCloseTo(8, 3);
    const pcm = await pcmOf(output);
    const isHeard = (ms: number) => {
      const block = pcm.subarray(ms * 32, (ms + 10) * 32);
      return block.some((_, at) => at % 2 === 0 && Math.abs(block.readInt16LE(at)) > 400);
    };
    const times = Array.from({ length: 800 }, (_, nth) => nth * 10).filter(isHeard);
    for (const { start_ms, samples } of pieces) {
      const own = times.filter((ms) => ms >= start_ms - 200 && ms < start_ms + 2200);
      const spoken_ms = (samples.findLastIndex((sample) => sample !== 0) + 1) / 48;
      expect(Math.abs(own[0]! - start_ms)).toBeLessThanOrEqual(50);
      expect(Math.abs(own.at(-1)! + 10 - (start_ms + spoken_ms))).toBeLessThanOrEqual(50);
    }
  });

  it('is limited if the original is at full scale', async () => {
    const burst = "aevalsrc='if(lt(mod(t,1),0.02),sgn(sin(2*PI*t*900)),0.004*sin(2*PI*t*200))':s=48000:d=8";
    const file = await makeMedia('bursts.mka', stereo(burst));
    const given = { pieces: pieces.slice(0, 1), duration_ms: 8001 };
    const { output } = await dubbed(file, { name: 'bursts', ...given });
    const { lufs, peak } = await refereed(output);
    expect(peak).toBeLessThanOrEqual(-1);
    expect(Math.abs(lufs + 23)).toBeLessThan(1);
  });
});

describe('the original sound in a dubbed track', () => {
  it('is silent during speech if the request says so, and keeps its music between sentences', async () => {
    const file = await makeMedia('between.mka', music(6));
    const spans = [{ start_ms: 2000, end_ms: 4000 }];
    const given = { name: 'between', speech_spans: spans, mute_original_voice: true, duration_ms: 6000 };
    const { output } = await dubbed(file, given);
    const loud = await levelIn(output, 500, 1500);
    expect(loud).toBeGreaterThan(-30);
    expect(await levelIn(output, 2200, 3800)).toBeLessThan(-80);
    expect(Math.abs((await levelIn(output, 4500, 5500)) - loud)).toBeLessThan(1);
  });

  it('stays in sync if it starts late, ends early or has one channel', async () => {
    const tone = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=4', '-itsoffset', '1.5'];
    const late = [...tone, '-f', 'lavfi', '-i', 'sine=440:d=1', '-c:v', 'mpeg2video', '-c:a', 'mp2'];
    const file = await makeMedia('late.ts', late);
    const { output, track } = await dubbed(file, { name: 'late', duration_ms: 4000 });
    expect(track).toMatchObject({ channels: 1, duration_ms: 4000 });
    expect(await levelIn(output, 0, 1400)).toBeLessThan(-70);
    expect(await levelIn(output, 1600, 2400)).toBeGreaterThan(-30);
    expect(await levelIn(output, 2700, 3900)).toBeLessThan(-70);
    expect(Number((await streamsOf(output)).format.duration)).toBeCloseTo(4, 2);
  });

  it('is not amplified if it is faint, and has no loudness if it is silent or too short to measure', async () => {
    const faint = await makeMedia('faint.mka', music(3, '0.0005'));
    const { track } = await dubbed(faint, { name: 'faint', duration_ms: 3000 });
    expect(track.integrated_lufs).toBeLessThan(-30);
    const silent = await dubbed(null, { name: 'silent', duration_ms: 3000 });
    expect(silent.track).toMatchObject({ integrated_lufs: null });
    const short = await dubbed(null, { name: 'short', duration_ms: 200 });
    expect(short.track).toMatchObject({ integrated_lufs: null, duration_ms: 200 });
  });
});

describe('rendering a dubbed track', () => {
  it('rethrows errors of the pieces and of the caller', async () => {
    // The error of the source must not be reported as a broken pipe.
    const gone = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    async function* broken(): AsyncGenerator<DubPiece> {
      yield { start_ms: 0, samples: new Int16Array(48_000).fill(1000) };
      throw gone;
    }
    await expect(dubbed(null, { name: 'broken', pieces: broken() })).rejects.toBe(gone);
    const canceled = new Error('canceled');
    const aborted = { signal: AbortSignal.abort(canceled) };
    await expect(dubbed(null, { name: 'broken' }, aborted)).rejects.toBe(canceled);
    expect(filesOf(fixturePath('broken.m4a'))).toEqual([]);
  });

  it('stops when its time is over', async () => {
    const late = dubbed(null, { name: 'hurried', pieces: [], duration_ms: 1001 }, { left_ms: () => 0 });
    await expect(late).rejects.toMatchObject({ code: 'timed_out' });
    expect(filesOf(fixturePath('hurried.m4a'))).toEqual([]);
  });

  it('rejects media without the requested audio track', async () => {
    const file = await makeMedia('one.mka', music(1));
    const run = dubbed(file, { name: 'none', track: 2, duration_ms: 1000 });
    await expect(run).rejects.toMatchObject({ code: 'audio_track_missing' });
  });
});

const filesOf = (output: string) =>
  readdirSync(dirname(output)).filter(
    (name) => name.startsWith(basename(output, '.m4a')) && /m4a/.test(name),
  );
