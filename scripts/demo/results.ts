/** Writes the subtitles of a transcription in all formats, the pictures, and the page that shows every language. */
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Kinora } from '../../client/index.ts';
import { defined, itemAt } from '../../shared/checked-access.ts';
import { orRefusal, save } from './jobs.ts';
import { type ShownClip, type Storyboard, type SubtitleFile, type Version, watchPage } from './watch-page.ts';

/** @param mark inserted before the extension of each file: `es` makes `standard.es.vtt` */
export async function writeSubtitles(
  kinora: Kinora,
  of: { readonly asset_id: string; readonly transcription_id: string },
  { folder, mark }: { readonly folder: string; readonly mark: string },
): Promise<Omit<Version, 'language' | 'media'>> {
  const [transcription, vtt, simplified, srt, stl, qc] = await Promise.all([
    kinora.getTranscription(of),
    kinora.getVtt(of),
    kinora.getVtt({ ...of, flavor: 'simplified' }),
    kinora.getSrt(of),
    kinora.getStl(of),
    kinora.getQcReport({ ...of, profile: 'broadcast' }),
  ]);
  await mkdir(folder, { recursive: true });
  const write = async (
    format: string,
    name: string,
    extension: string,
    content: string | Uint8Array,
  ): Promise<SubtitleFile> => {
    const file = [name, mark, extension].filter(Boolean).join('.');
    await writeFile(join(folder, file), content);
    return { format, file };
  };
  const files = await Promise.all([
    write('WebVTT', 'standard', 'vtt', vtt),
    write('WebVTT, simplified', 'simplified', 'vtt', simplified),
    write('SubRip', 'subtitles', 'srt', srt),
    write('EBU STL', 'subtitles', 'stl', stl),
    write('Transcription', 'transcription', 'json', `${JSON.stringify(transcription, null, 2)}\n`),
    write('Quality report', 'qc', 'json', `${JSON.stringify(qc, null, 2)}\n`),
  ]);
  return { vtt, segments: transcription.segments, qc, files };
}

/** Writes the page. Links the media into the folder if they are on the same disk, so that the folder can be moved. */
export async function writeWatchPage(
  folder: string,
  {
    name,
    versions,
    storyboard,
    clips,
  }: {
    readonly name: string;
    readonly versions: readonly Version[];
    readonly storyboard: Storyboard | null;
    readonly clips: readonly ShownClip[];
  },
): Promise<void> {
  const withSource = <Played extends { readonly media: string }>(all: readonly Played[]) =>
    Promise.all(all.map(async (one) => ({ ...one, source: await placed(folder, one.media) })));
  const page = watchPage({
    name,
    versions: await withSource(versions),
    storyboard,
    clips: await withSource(clips),
  });
  await writeFile(join(folder, 'watch.html'), page);
}

/** Returns the address of a file for the page: its name if the file is in the folder or can be linked into it, else its full path. */
async function placed(folder: string, media: string): Promise<string> {
  const name = basename(media);
  const [here, there] = [join(folder, name), resolve(media)];
  if (resolve(here) === there) return encodeURIComponent(name);
  await rm(here, { force: true });
  const isLinked = await link(there, here).then(
    () => true,
    () => false,
  );
  return isLinked ? encodeURIComponent(name) : pathToFileURL(there).href;
}

/** Saves the pictures next to the page. Null if the media has no picture. */
export async function savePictures(
  kinora: Kinora,
  asset_id: string,
  folder: string,
): Promise<Storyboard | null> {
  const { sheets, tiles } = await kinora.getStoryboard({ asset_id });
  const [first] = tiles;
  if (first === undefined) return null;
  await mkdir(folder, { recursive: true });
  const poster = await orRefusal(savePoster(kinora, asset_id, folder));
  const names = sheets.map((_, at) => `storyboard.${at + 1}.jpg`);
  await Promise.all(sheets.map((url, at) => save(url, join(folder, itemAt(names, at)))));
  const { width, height } = first;
  return {
    poster: poster === POSTER ? poster : null,
    tile_width: width,
    tile_height: height,
    tiles: tiles.map(({ start_ms, sheet, x, y }) => ({ start_ms, sheet: defined(names[sheet]), x, y })),
  };
}

const POSTER = 'poster.jpg';

async function savePoster(kinora: Kinora, asset_id: string, folder: string): Promise<string> {
  const { url } = await kinora.getPoster({ asset_id });
  await save(url, join(folder, POSTER));
  return POSTER;
}
