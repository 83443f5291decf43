/** Writes a transcription's files, and a page that plays the media with them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Kinora, Segment } from '../../client/index.ts';

/** @returns the segments, for printing */
export async function writeResults(
  kinora: Kinora,
  of: { readonly asset_id: string; readonly transcription_id: string },
  folder: string,
  media: string,
): Promise<readonly Segment[]> {
  const [transcription, standard, simplified, srt] = await Promise.all([
    kinora.getTranscription(of),
    kinora.getVtt(of),
    kinora.getVtt({ ...of, flavor: 'simplified' }),
    kinora.getSrt(of),
  ]);
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(join(folder, 'standard.vtt'), standard),
    writeFile(join(folder, 'simplified.vtt'), simplified),
    writeFile(join(folder, 'subtitles.srt'), srt),
    writeFile(join(folder, 'transcription.json'), `${JSON.stringify(transcription, null, 2)}\n`),
    writeFile(join(folder, 'watch.html'), watchPage(media, standard, transcription.segments)),
  ]);
  return transcription.segments;
}

/** One file without a server: browsers refuse a track from file://, so the subtitles are within the page. */
function watchPage(media: string, vtt: string, segments: readonly Segment[]): string {
  const track = `data:text/vtt;base64,${Buffer.from(vtt).toString('base64')}`;
  const rows = segments
    .map(({ start_ms, text }) => `<li><button data-at="${start_ms / 1000}">${escaped(text)}</button></li>`)
    .join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(basename(media))} · Kinora</title>
<style>
  :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  video { width: 100%; border-radius: 8px; background: #000 }
  ol { list-style: none; padding: 0 }
  button { font: inherit; color: inherit; background: none; border: 0; padding: .25rem .5rem; text-align: left; cursor: pointer }
  button:hover, button:focus-visible { background: color-mix(in srgb, currentColor 12%, transparent); border-radius: 4px }
</style>
<h1>${escaped(basename(media))}</h1>
<video controls src="${escaped(pathToFileURL(resolve(media)).href)}">
  <track default kind="subtitles" label="Subtitles" src="${track}">
</video>
<ol>
${rows}
</ol>
<script>
  document.querySelector('ol').addEventListener('click', ({ target }) => {
    const video = document.querySelector('video');
    if (target.dataset.at === undefined) return;
    video.currentTime = Number(target.dataset.at);
    video.play();
  });
</script>
</html>
`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!);
