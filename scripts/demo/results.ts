/** Writes the subtitles of a transcription in all formats, and a page with those and the sound of each language. */
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
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

/** The folder may be moved or sent, page and all: what it plays lies in it, unless that is on another disk. */
export async function writeWatchPage(
  folder: string,
  name: string,
  versions: readonly Version[],
): Promise<void> {
  const sources = await Promise.all(versions.map(({ media }) => placed(folder, media)));
  await writeFile(join(folder, 'watch.html'), watchPage(name, versions, sources));
}

/** The address of a file for a page in the folder: its name, where it is there or can be linked into it. */
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

/** One file without a server: browsers refuse a track from file://, so the subtitles are within the page. */
function watchPage(name: string, versions: readonly Version[], sources: readonly string[]): string {
  const title = escaped(name);
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
<video controls></video>
<p><label>Language: <select>${versions.map(choice).join('')}</select></label></p>
${versions.map(section).join('\n')}
<script>
  let video = document.querySelector('video');
  const select = document.querySelector('select');
  const versions = ${inScript(versions.map((version, at) => ({ source: sources[at], ...track(version) })))};
  // Another element a language: Chromium goes on to draw subtitles of a track that was taken away while the video rests.
  const play = ({ source, ...track }) => {
    const { currentTime, paused } = video;
    const next = Object.assign(document.createElement('video'), { controls: true, src: source });
    next.append(Object.assign(document.createElement('track'), { kind: 'subtitles', default: true, ...track }));
    video.replaceWith(next);
    video = next;
    video.currentTime = currentTime;
    video.textTracks[0].mode = 'showing';
    if (!paused) video.play();
  };
  const show = () => {
    play(versions[select.selectedIndex]);
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

const track = ({ language, vtt }: Version) => ({
  srclang: language.code,
  label: language.native_name,
  src: `data:text/vtt;base64,${Buffer.from(vtt).toString('base64')}`,
});

/** JSON that ends no script. */
const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const choice = ({ language }: Version) => `<option>${escaped(language.native_name)}</option>`;

function section({ language, segments, qc }: Version): string {
  const rows = segments.map(({ start_ms, text }) => `<li>${moment(start_ms, text)}</li>`);
  const findings = qc.findings.map(
    ({ severity, start_ms, detail }) => `<li>${moment(start_ms, `${severity}: ${detail}`)}</li>`,
  );
  const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  const counts = `${counted(qc.errors, 'error')}, ${counted(qc.warnings, 'warning')}`;
  const verdict = `${qc.passed ? 'passed' : 'not passed'}, ${counts}`;
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
