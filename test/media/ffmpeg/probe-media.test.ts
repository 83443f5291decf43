import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { probeMedia } from '../../../media/ffmpeg/probe-media.ts';
import { runFfprobe } from '../../../media/ffmpeg/run-ffmpeg.ts';
import { MEDIA_LIMITS } from '../../../shared/media.ts';
import {
  aac,
  builds,
  demoVideo,
  fixturePath,
  h264,
  makeMedia,
  opened,
  picture,
  tone,
} from '../../fixtures/media.ts';
import { withDuration } from './odd-files.ts';

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(fixturePath(name), content);
  return fixturePath(name);
}

const unreadable = (detail: RegExp) => ({
  name: 'media_unreadable',
  code: 'media_unreadable',
  retryable: false,
  detail: expect.stringMatching(detail),
});

describe.each(builds)('probe with $name', ({ tools }) => {
  const look = (file: string, limits = {}) =>
    opened(file, (media) => probeMedia(tools, media, { ...MEDIA_LIMITS, ...limits }));

  it('describes the bundled video', async () => {
    expect(await look(demoVideo)).toMatchObject({
      container: 'mp4',
      duration_ms: expect.closeTo(44_850, -2),
      video: { codec: 'h264', width: 1280, height: 720, frame_rate: { num: 25, den: 1 }, rotation: 0 },
      audio: [{ codec: 'aac', channels: 1, sample_rate: 48_000, language: 'en', is_default: true }],
    });
  });

  it('returns width and height as displayed, with rotation and sample aspect ratio applied', async () => {
    const flat = await makeMedia('flat.mp4', [...picture(0.4, '320x180'), ...h264, '-vf', 'setsar=4/3']);
    expect((await look(flat)).video).toMatchObject({ width: 427, height: 180 });
    const turned = await makeMedia('turned.mp4', ['-i', flat, '-c', 'copy', '-metadata:s:v', 'rotate=90']);
    const { video } = await look(turned);
    expect(video).toMatchObject({ width: 180, height: 427 });
    expect([90, 270]).toContain(video?.rotation);
  });

  it('returns an NTSC frame rate as a fraction', async () => {
    const file = await makeMedia('ntsc.mkv', [...picture(1, '160x90', '30000/1001'), ...h264]);
    expect((await look(file)).video?.frame_rate).toEqual({ num: 30_000, den: 1001, value: 30_000 / 1001 });
  });

  it.each([
    ['mov', '25', '10:00:00:00', '10:00:00:00'],
    ['mp4', '30000/1001', '01:00:00;02', '01:00:00;02'],
    ['mxf', '25', '09:59:50:00', '09:59:50:00'],
    ['mkv', '25', '10:00:00:12', '10:00:00:12'],
  ])('returns the time code of the first picture in %s', async (ending, rate, given, told) => {
    const codec = ending === 'mxf' ? ['-c:v', 'mpeg2video'] : h264;
    const tag = ending === 'mkv' ? ['-metadata:s:v', `timecode=${given}`] : ['-timecode', given];
    const file = await makeMedia(`timecode.${ending}`, [...picture(0.4, '160x90', rate), ...codec, ...tag]);
    expect((await look(file)).start_timecode).toBe(told);
  });

  it('returns no time code if the file has none or an invalid one', async () => {
    expect((await look(demoVideo)).start_timecode).toBeNull();
    const tag = ['-metadata:s:v', 'timecode=whenever'];
    const file = await makeMedia('whenever.mkv', [...picture(0.4, '160x90'), ...h264, ...tag]);
    expect((await look(file)).start_timecode).toBeNull();
  });

  it('returns the average of a variable frame rate', async () => {
    const drop = ['-vf', "select='not(mod(n,2))+lt(t,1)',setpts=PTS", '-vsync', 'vfr'];
    const file = await makeMedia('vfr.mp4', [...picture(4, '160x90', '30'), ...drop, ...h264]);
    expect(Math.abs((await look(file)).video!.frame_rate!.value - 18.5)).toBeLessThan(2.5);
  });

  it('finds every audio track with its channels, language and start', async () => {
    const file = await makeMedia('tracks.mkv', [
      ...[...picture(2, '160x90'), ...tone(2), '-itsoffset', '0.8', ...tone(1)],
      ...['-map', '0:v', '-map', '1:a', '-map', '2:a', ...h264, ...aac],
      ...['-ac:a:0', '6', '-metadata:s:a:0', 'language=spa', '-metadata:s:a:1', 'language=und'],
    ]);
    const { audio } = await look(file);
    expect(audio).toMatchObject([
      { channels: 6, language: 'es' },
      { channels: 1, language: null },
    ]);
    expect(audio[0]!.start_ms).toBeLessThan(50);
    expect(Math.abs(audio[1]!.start_ms - 800)).toBeLessThan(60);
  });

  it('counts times from the start of a transport stream, not from zero', async () => {
    const file = await makeMedia('late.ts', [...picture(1, '160x90'), ...tone(1), ...h264, ...aac]);
    const { container, video, audio } = await look(file);
    expect(container).toBe('mpegts');
    expect(Math.min(video!.start_ms, audio[0]!.start_ms)).toBe(0);
    expect(Math.max(video!.start_ms, audio[0]!.start_ms)).toBeLessThan(300);
  });

  it('accepts media with only sound or only pictures', async () => {
    const sound = await look(await makeMedia('sound.mp3', tone(1)));
    expect(sound).toMatchObject({ container: 'mp3', video: null, audio: [{ codec: 'mp3' }] });
    const silent = await look(await makeMedia('silent.webm', [...picture(1, '160x90'), '-c:v', 'libvpx']));
    expect(silent).toMatchObject({ container: 'matroska', audio: [], video: { codec: 'vp8' } });
  });

  it('does not treat a cover picture as a video', async () => {
    const cover = await makeMedia('cover.png', [...picture(0.04), '-frames:v', '1']);
    const both = [...tone(1), '-i', cover, '-map', '0:a', '-map', '1:v', ...aac, '-c:v', 'png'];
    const song = await makeMedia('song.m4a', [...both, '-disposition:v:0', 'attached_pic']);
    expect((await look(song)).video).toBeNull();
  });

  it('measures the duration of videos that state none, but not of sound, which the extraction measures', async () => {
    const piped = ['-f', 'webm', '-live', '1'];
    const silent = await makeMedia('recorded.webm', [...picture(2, '160x90'), '-c:v', 'libvpx', ...piped]);
    expect(Math.abs((await look(silent)).duration_ms - 2000)).toBeLessThan(100);
    const sound = await makeMedia('heard.webm', [...tone(2), '-c:a', 'libopus', ...piped]);
    expect((await look(sound)).duration_ms).toBe(0);
  });

  it('uses the packets of a silent video and the index of an MP4 instead of a wrong header', async () => {
    const film = await makeMedia('honest.mkv', [...picture(2, '160x90'), ...h264]);
    const mp4 = await makeMedia('honest.mp4', [...picture(2, '160x90'), ...tone(2), ...h264, ...aac]);
    for (const [name, honest] of Object.entries({ 'lying.mkv': film, 'liar.mp4': mp4 })) {
      const { duration_ms } = await look(await fileOf(name, withDuration(await readFile(honest), 0.9)));
      expect(Math.abs(duration_ms - 2000)).toBeLessThan(100);
    }
  });

  it.each([
    ['empty.mp4', '', /an empty file/],
    ['text.mp4', 'Dear all,\nthis is not a film.\n', /a text file/],
    ['page.mp4', '<!DOCTYPE html><title>404</title>', /a web page/],
    ['hls.mp4', '#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n', /an HLS or M3U playlist/],
    ['concat.mp4', "ffconcat version 1.0\nfile '/etc/passwd'\n", /a concat list of ffmpeg/],
    ['dash.mp4', '<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"/>', /a DASH manifest/],
    ['sdp.mp4', 'v=0\no=- 0 0 IN IP4 127.0.0.1\n', /an SDP session description/],
    ['subtitles.mp4', '1\n00:00:00,000 --> 00:00:01,000\nHello\n', /SRT subtitles/],
    ['archive.mp4', 'PK\x03\x04\x14\0\0\0\x08\0', /a ZIP archive/],
    ['paper.mp4', '%PDF-1.7\n\x01\x02', /a PDF document/],
  ])('refuses %s and names its apparent format', async (name, content, seems) => {
    const file = await fileOf(`refused-${name}`, Buffer.from(content, 'latin1'));
    await expect(look(file)).rejects.toMatchObject(unreadable(seems));
  });

  it('refuses an image with any name', async () => {
    const png = await makeMedia('image.png', [...picture(0.04), '-frames:v', '1']);
    const file = await fileOf('image.mp4', await readFile(png));
    await expect(look(file)).rejects.toMatchObject(unreadable(/a PNG image/));
  });

  it('refuses a truncated MP4, which has no index', async () => {
    const whole = await makeMedia('whole.mp4', [...picture(2), ...tone(2), ...h264, ...aac]);
    const bytes = await readFile(whole);
    const file = await fileOf('truncated.mp4', bytes.subarray(0, bytes.length / 2));
    await expect(look(file)).rejects.toMatchObject(unreadable(/no index \(moov\).*interrupted copy/));
  });

  const film = [...picture(4), ...tone(4), ...h264];
  const fragments = ['-g', '5', '-movflags', 'frag_keyframe+empty_moov+default_base_moof'];
  it.each([
    ['avi', film, 'media_unreadable'],
    ['aiff', tone(4), 'media_unreadable'],
    ['caf', tone(4), 'media_unreadable'],
    ['w64', tone(4), 'media_unreadable'],
    ['rf64.wav', [...tone(4), '-rf64', 'always'], 'media_unreadable'],
    ['flv', film, 'ends_early'],
    ['aac', tone(4), 'ends_early'],
    ['cbr.mp3', [...tone(4), '-write_xing', '0'], 'ends_early'],
    ['low.mp3', [...tone(4), '-write_xing', '0', '-ar', '22050', '-b:a', '56k'], 'ends_early'],
    ['fragments.mp4', [...film, ...fragments], 'ends_early'],
    ['live.mkv', [...film, '-live', '1'], 'ends_early'],
    // Programs that write to a pipe do not know the length.
    ['pipe.wav', [...tone(4), '-f', 'wav', '-seekable', '0'], ''],
  ])('says whether the end of a file is missing: %s', async (name, args, says) => {
    const whole = await makeMedia(`end.${name}`, args);
    expect((await look(whole)).findings).toEqual([]);
    const bytes = await readFile(whole);
    const file = await fileOf(`cut.${name}`, bytes.subarray(0, (bytes.length >> 1) + 50));
    const said = await look(file).then(
      ({ findings }) => findings.map(({ code }) => code).join(),
      ({ code }) => code,
    );
    expect(said).toBe(says);
  });

  it('refuses unknown bytes without showing paths of this machine', async () => {
    const noise = Uint8Array.from({ length: 20_000 }, (_, i) => (i * 7919 + ((i * i) >> 3)) % 251);
    const file = await fileOf('noise.mp4', noise);
    await expect(look(file)).rejects.toMatchObject(unreadable(/^(?!.*(kinora-media|0x)).*(media|kind)/));
  });

  it('refuses a media container with neither picture nor sound', async () => {
    const subtitles = await fileOf('only.srt', '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
    const file = await makeMedia('only-subtitles.mkv', ['-i', subtitles]);
    await expect(look(file)).rejects.toMatchObject(unreadable(/neither a video nor an audio track/));
  });

  it.each([
    ['max_duration_ms', 1000, /lasts 4\d{4} ms; at most 1000/],
    ['max_pixels', 640 * 360, /has 921600 pixels a frame; at most 230400/],
    ['max_streams', 1, /has 2 streams; at most 1/],
  ])('refuses media that exceed %s', async (limit, value, detail) => {
    await expect(look(demoVideo, { [limit]: value })).rejects.toMatchObject({
      code: 'media_limit_exceeded',
      detail: expect.stringMatching(detail),
    });
  });

  it.each([
    ['second-hls.mp4', '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n/etc/passwd\n#EXT-X-ENDLIST\n'],
    ['second-concat.mp4', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
  ])('refuses %s also in ffprobe, if the check of its first bytes is skipped', async (name, content) => {
    const answer = opened(await fileOf(name, content), (media) =>
      runFfprobe(tools, ['-show_format'], { timeout_ms: 20_000, media }),
    );
    await expect(answer).rejects.toMatchObject({ code: 'media_unreadable' });
  });

  it('removes control and direction characters from track titles', async () => {
    const title = '\u001b[31mRed\u202egpm.\u2066 \u2028line';
    const tags = ['-metadata:s:a:0', `title=${title}`, '-c:a', 'flac'];
    const { audio } = await look(await makeMedia('titled.mkv', [...tone(1), ...tags]));
    expect(audio[0]!.title).toBe('[31mRedgpm. line');
  });

  it('names the program to install if it is missing', async () => {
    const missing = { ffmpeg: tools.ffmpeg, ffprobe: '/nowhere/ffprobe' };
    const answer = opened(demoVideo, (media) => probeMedia(missing, media, MEDIA_LIMITS));
    await expect(answer).rejects.toMatchObject({
      code: 'engine_unavailable',
      detail: expect.stringMatching(/"ffprobe" is not installed.*apt-get install ffmpeg/),
    });
  });
});
