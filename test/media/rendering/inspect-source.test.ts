import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openFonts } from '../../../media/rendering/choose-font.ts';
import { outputOf } from '../../../media/rendering/plan-render.ts';
import { renderChunk } from '../../../media/rendering/render-chunk.ts';
import { plainStyle } from '../../../media/rendering/subtitle-style.ts';
import { writeAss } from '../../../media/rendering/write-ass.ts';
import { fixturePath, h264, makeMedia, opened, picture, tools } from '../../fixtures/media.ts';
import { movie, type Track } from '../../support/evil/movies.ts';
import { look, pictureOf, planned, render } from './rendered.ts';

async function written(name: string, bytes: Buffer): Promise<string> {
  const path = fixturePath(name);
  await writeFile(path, bytes);
  return path;
}

const pictures = (track: Partial<Track>) => movie({ tracks: [{ kind: 'picture', ...track }] });

describe('the source of a clip', () => {
  it('is refused if its frame rate is implausible', async () => {
    const file = await written('fast.mp4', pictures({ timescale: 2500 }));
    await expect(look(file)).rejects.toMatchObject({ code: 'media_limit_exceeded' });
  });

  it('is refused as unreadable if a part has no picture', async () => {
    const file = await makeMedia('nothing.mp4', [...picture(1, '64x36'), ...h264]);
    const source = await look(file);
    const empty = await written('empty.mp4', pictures({ entry: Buffer.alloc(8), samples: 1 }));
    const folder = fixturePath('nothing');
    await mkdir(folder);
    const plan = planned(source, { end_frame: 5, output: outputOf(source, { x: 1, y: 1 }) });
    const rendered = opened(empty, (media) => renderChunk(plan, 0, { tools, source: media, folder }));
    await expect(rendered).rejects.toMatchObject({ code: 'media_unreadable' });
  });

  it('can have the color values of DVDs', async () => {
    const tags = ['-color_primaries', 'bt470bg', '-color_trc', 'gamma28', '-colorspace', 'bt470bg'];
    const file = await makeMedia('dvd.mp4', [...picture(0.4, '64x36'), ...h264, ...tags]);
    const { file: clip } = await render(file, { aspect: { x: 1, y: 1 } });
    expect(await pictureOf(clip)).toMatchObject({ color_transfer: 'bt470bg', color_space: 'bt470bg' });
  });
});

describe('the text of a user', () => {
  it('is passed to the program only in a file, never in its arguments', async () => {
    const wrote = "drawtext=textfile=/etc/passwd,movie='http://127.0.0.1/';[0:v]{\\fnEvil}";
    const file = await makeMedia('words.mp4', [
      ...[...picture(0.2, '64x36'), ...h264, '-metadata', `title=${wrote}`],
      ...['-metadata:s:v', `handler_name=${wrote}`],
    ]);
    const source = await look(file);
    const folder = fixturePath("it's [a] folder; of: mine, or\\not");
    await mkdir(folder);
    const [program, heard] = [`${folder}/ffmpeg`, `${folder}/arguments`];
    await writeFile(
      program,
      '#!/bin/sh\nprintf "%s\\n" "$@" > "$(dirname "$0")/arguments"\nexec ffmpeg "$@"\n',
    );
    await chmod(program, 0o755);
    const output = outputOf(source, { x: 1, y: 1 });
    const cues = [{ start_ms: 0, end_ms: 200, lines: [wrote] }];
    const subtitles = writeAss(cues, { ...plainStyle, font_family: wrote }, output, { fonts: openFonts() });
    const plan = planned(source, { end_frame: 5, output, subtitles });
    const io = { tools: { ...tools, ffmpeg: program }, folder };
    await opened(file, (media) => renderChunk(plan, 0, { ...io, source: media }));
    const given = await readFile(heard, 'utf8');
    expect(given).toContain('ass=filename=');
    for (const part of ['drawtext', 'passwd', 'movie=', 'Evil']) expect(given).not.toContain(part);
    expect(await pictureOf(`${folder}/chunk-0.mp4`)).toMatchObject({ frames: 5 });
  });
});
