import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { muxTracks, streamMuxed } from '../../../media/ffmpeg/mux-tracks.ts';
import { aac, fixturePath, h264, makeMedia, opened, picture, tone, tools } from '../../fixtures/media.ts';

const execute = promisify(execFile);

/** Returns the output of ffprobe, which runs without our limits. */
async function probed<T>(file: string, ...args: string[]): Promise<T> {
  const { stdout } = await execute('ffprobe', ['-v', 'error', '-of', 'json', ...args, file], {
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout) as T;
}

type Packet = { stream_index: number; pts_time: string; data_hash: string };

/**
 * The packets of each stream, in the order of the file. One call of ffprobe reads all streams, since each call takes a
 * moment.
 */
async function packetsOf(file: string): Promise<Packet[][]> {
  const wanted = ['-show_entries', 'packet=stream_index,pts_time,data_hash', '-show_data_hash', 'sha256'];
  const { packets } = await probed<{ packets: Packet[] }>(file, '-show_packets', ...wanted);
  const streams: Packet[][] = [];
  for (const packet of packets) {
    streams[packet.stream_index] ??= [];
    streams[packet.stream_index]!.push(packet);
  }
  return streams;
}

const hashes = (packets: readonly Packet[] | undefined) => packets?.map(({ data_hash }) => data_hash);

/** The display time of each picture relative to the first one, rounded to the milliseconds that Matroska stores. */
function times(packets: readonly Packet[] | undefined): number[] | undefined {
  return packets?.map(({ pts_time }) => Math.round((Number(pts_time) - Number(packets[0]!.pts_time)) * 1000));
}

type Streams = {
  streams: {
    codec_type: string;
    codec_name: string;
    tags?: { language?: string; title?: string; handler_name?: string };
    disposition: { default: number; dub: number; comment: number };
  }[];
};
const soundsOf = async (file: string) =>
  (await probed<Streams>(file, '-show_streams')).streams.filter(({ codec_type }) => codec_type === 'audio');

const spanish = await makeMedia('spanish.m4a', [...tone(1), ...aac]);
const french = await makeMedia('french.m4a', [...tone(1), ...aac]);
const tracks = [
  { path: french, language: 'fra', title: 'Français', isDefault: false },
  { path: spanish, language: 'spa', title: 'Español: "doblado"', isDefault: true },
];
const mux = (file: string, output: string) =>
  opened(file, (media) => muxTracks({ media, tracks, output }, { tools }));
const twoSounds = [
  ...[
    ...picture(1, '160x90'),
    ...tone(1),
    ...tone(1),
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    ...h264,
    ...aac,
  ],
  ...['-metadata:s:a:0', 'language=eng'],
];

const bframes = [...h264, '-preset', 'veryfast', '-bf', '2', '-g', '25'];
const kinds: [name: string, codecs: string[], becomes: string][] = [
  ['mp4', [...bframes, ...aac], 'mp4'],
  ['mov', [...bframes, '-c:a', 'pcm_s16le'], 'mov'],
  ['mkv', [...bframes, '-c:a', 'flac'], 'matroska'],
  ['webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus'], 'matroska'],
  // The clock of this stream begins after more than an hour.
  ['ts', [...bframes, '-c:a', 'mp2', '-output_ts_offset', '5000'], 'mpegts'],
];

describe('added tracks', () => {
  it.each(kinds)(
    'keep every packet of picture and sound in %s unchanged, and start with the picture',
    async (name, codecs, becomes) => {
      const file = await makeMedia(`own.${name}`, [...picture(1, '160x90'), ...tone(1), ...codecs]);
      const output = fixturePath(`muxed-${name}`);
      expect(await mux(file, output)).toMatchObject({ container: becomes });
      const [before, after] = [await packetsOf(file), await packetsOf(output)];
      expect(hashes(after[0])).toEqual(hashes(before[0]));
      expect(hashes(after[2])).toEqual(hashes(before[1]));
      expect(times(after[0])).toEqual(times(before[0]));
      const [picture_s, added_s] = after.map(([first]) => Number(first!.pts_time));
      expect(Math.abs(added_s! - picture_s!)).toBeLessThan(0.1);
    },
  );

  it('have language and title; the default track is the first, and an MP4 has its index at the start', async () => {
    const file = await makeMedia('two.mp4', [...twoSounds, '-disposition:a:1', 'comment']);
    const output = fixturePath('tagged.mp4');
    await mux(file, output);
    const sounds = await soundsOf(output);
    expect(sounds.map(({ tags }) => tags?.language)).toEqual(['spa', 'eng', 'und', 'fra']);
    expect(sounds.map(({ disposition }) => disposition.default)).toEqual([1, 0, 0, 0]);
    expect(sounds.map(({ disposition }) => disposition.comment)).toEqual([0, 0, 1, 0]);
    expect(sounds[0]!.tags?.handler_name).toBe('Español: "doblado"');
    // The index is at the start.
    const bytes = (await readFile(output)).toString('latin1');
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  it.each([
    [1, ['spa', 'eng', 'und', 'fra']],
    [2, ['spa', 'eng', 'deu', 'fra']],
  ])(
    'are added to the track %i of the file, whose language is set if the file does not state it',
    async (number, expected) => {
      const file = await makeMedia('untold.mp4', twoSounds);
      const output = fixturePath('told.mp4');
      const spoken = { number, language: 'deu' };
      await opened(file, (media) => muxTracks({ media, tracks, output, spoken }, { tools }));
      expect((await soundsOf(output)).map(({ tags }) => tags?.language)).toEqual(expected);
    },
  );

  it('keep subtitles that the container can hold', async () => {
    const srt = fixturePath('own.srt');
    await writeFile(srt, '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
    const inputs = [...picture(1, '160x90'), ...tone(1), '-i', srt, '-map', '0', '-map', '1', '-map', '2'];
    const file = await makeMedia('subtitled.mkv', [...inputs, ...h264, ...aac, '-c:s', 'subrip']);
    const output = fixturePath('subtitled-muxed.mkv');
    await mux(file, output);
    const { streams } = await probed<Streams>(output, '-show_streams');
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac', 'aac', 'aac', 'subrip']);
    const titles = streams.slice(1, 4).map(({ tags }) => tags?.title);
    expect(titles).toEqual(['Español: "doblado"', undefined, 'Français']);
  });

  it('can be streamed, with unchanged packets', async () => {
    const file = await makeMedia('streamed.mp4', [...picture(1, '160x90'), ...tone(1), ...bframes, ...aac]);
    const output = fixturePath('streamed-muxed.mp4');
    await opened(file, async (media) => {
      const { bytes, media_type } = await streamMuxed({ media, tracks }, { tools });
      expect(media_type).toBe('video/mp4');
      const pieces: Buffer[] = [];
      for await (const piece of bytes) pieces.push(piece);
      await writeFile(output, Buffer.concat(pieces));
    });
    const [before, after] = [await packetsOf(file), await packetsOf(output)];
    expect(hashes(after[0])).toEqual(hashes(before[0]));
    expect(times(after[0])).toEqual(times(before[0]));
    expect(hashes(after[1])).toEqual(hashes((await packetsOf(spanish))[0]));
  });
});
