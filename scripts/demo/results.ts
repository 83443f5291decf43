/** Writes the subtitles of a transcription in all formats, and a page with those and the sound of each language. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Kinora, Language, QcReport, Segment } from '../../client/index.ts';

/** A language of the page: what its track shows, and what its list says. */
export interface Version {
  readonly language: Pick<Language, 'code' | 'native_name' | 'direction'>;
  /** Path of what is played. */
  readonly media: string;
  readonly vtt: string;
  readonly segments: readonly Segment[];
  readonly qc: QcReport;
}

/** @param mark stands before the extension of each file: `es` makes `standard.es.vtt`; nothing where it is empty */
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
  const write = (name: string, extension: string, content: string | Uint8Array) =>
    writeFile(join(folder, [name, mark, extension].filter(Boolean).join('.')), content);
  await Promise.all([
    write('standard', 'vtt', vtt),
    write('simplified', 'vtt', simplified),
    write('subtitles', 'srt', srt),
    write('subtitles', 'stl', stl),
    write('transcription', 'json', `${JSON.stringify(transcription, null, 2)}\n`),
    write('qc', 'json', `${JSON.stringify(qc, null, 2)}\n`),
  ]);
  return { vtt, segments: transcription.segments, qc };
}

export const writeWatchPage = (folder: string, name: string, versions: readonly Version[]): Promise<void> =>
  writeFile(join(folder, 'watch.html'), watchPage(name, versions));

/** One file without a server: browsers refuse a track from file://, so the subtitles are within the page. */
function watchPage(name: string, versions: readonly Version[]): string {
  const title = escaped(name);
  const sources = versions.map(({ media }) => pathToFileURL(resolve(media)).href);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Kinora</title>
<style>
  :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  video { width: 100%; border-radius: 8px; background: #000 }
  ol, ul { list-style: none; padding: 0 }
  select { font: inherit }
  li button { font: inherit; color: inherit; background: none; border: 0; padding: .25rem .5rem; text-align: start; cursor: pointer }
  li button:hover, li button:focus-visible { background: color-mix(in srgb, currentColor 12%, transparent); border-radius: 4px }
</style>
<h1>${title}</h1>
<video controls src="${escaped(sources[0]!)}">
${versions.map(track).join('\n')}
</video>
<p><label>Language: <select>${versions.map(choice).join('')}</select></label></p>
${versions.map(section).join('\n')}
<script>
  const video = document.querySelector('video');
  const select = document.querySelector('select');
  const sources = ${JSON.stringify(sources)};
  const play = (source) => {
    if (source === video.src) return;
    const { currentTime, paused } = video;
    video.src = source;
    video.currentTime = currentTime;
    if (!paused) video.play();
  };
  const show = () => {
    play(sources[select.selectedIndex]);
    [...video.textTracks].forEach((track, at) => { track.mode = at === select.selectedIndex ? 'showing' : 'disabled' });
    document.querySelectorAll('section').forEach((section, at) => { section.hidden = at !== select.selectedIndex });
  };
  select.addEventListener('change', show);
  document.addEventListener('click', ({ target }) => {
    if (target.dataset.at === undefined) return;
    video.currentTime = Number(target.dataset.at);
    video.play();
  });
  show();
</script>
</html>
`;
}

function track({ language, vtt }: Version): string {
  const src = `data:text/vtt;base64,${Buffer.from(vtt).toString('base64')}`;
  return `  <track kind="subtitles" srclang="${language.code}" label="${escaped(language.native_name)}" src="${src}">`;
}

const choice = ({ language }: Version) => `<option>${escaped(language.native_name)}</option>`;

function section({ language, segments, qc }: Version): string {
  const rows = segments.map(({ start_ms, text }) => `<li>${moment(start_ms, text)}</li>`);
  const findings = qc.findings.map(
    ({ severity, start_ms, detail }) => `<li>${moment(start_ms, `${severity}: ${detail}`)}</li>`,
  );
  const verdict = `${qc.passed ? 'passed' : 'not passed'}, ${qc.errors} errors, ${qc.warnings} warnings`;
  return `<section hidden>
<ol lang="${language.code}" dir="${language.direction}">
${rows.join('\n')}
</ol>
<details><summary>Quality for broadcast: ${verdict}</summary>
<ul>
${findings.join('\n')}
</ul>
</details>
</section>`;
}

const moment = (at_ms: number, text: string) => `<button data-at="${at_ms / 1000}">${escaped(text)}</button>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!);
