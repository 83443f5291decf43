/** The page that plays the demo's film in each language, with pictures on the seek bar, and its clips. */
import type { Language, QcReport, Segment } from '../../client/index.ts';
import { defined } from '../../shared/checked-access.ts';

export interface Version {
  readonly language: Pick<Language, 'code' | 'native_name' | 'direction'>;
  readonly media: string;
  readonly vtt: string;
  readonly segments: readonly Segment[];
  readonly qc: QcReport;
  readonly files: readonly SubtitleFile[];
}

export interface SubtitleFile {
  readonly format: string;
  readonly file: string;
}

/** The poster, and the pictures of the seek bar: tiles of sheets. In pixels. */
export interface Storyboard {
  /** The address of the poster. Null if no poster exists. */
  readonly poster: string | null;
  readonly tile_width: number;
  readonly tile_height: number;
  readonly tiles: readonly {
    readonly start_ms: number;
    readonly sheet: string;
    readonly x: number;
    readonly y: number;
  }[];
}

export interface ShownClip {
  readonly media: string;
  readonly poster: string | null;
  readonly caption: string;
}

interface Watched {
  readonly name: string;
  /** The languages, each with the address of its media. */
  readonly versions: readonly (Version & { readonly source: string })[];
  readonly storyboard: Storyboard | null;
  readonly clips: readonly (Pick<ShownClip, 'caption' | 'poster'> & { readonly source: string })[];
}

/** Makes a page that needs no server. It contains the subtitles, because browsers refuse a track from file://. */
export function watchPage({ name, versions, storyboard, clips }: Watched): string {
  const title = escaped(name);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Kinora</title>
<style>
  :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif }
  body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
  .players { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
  .film { flex: 3 1 30rem; min-width: 0 }
  figure { flex: 1 1 12rem; max-width: 18rem; margin: 0 }
  figcaption { font-size: .85rem }
  video { display: block; width: 100%; max-height: 85vh; border-radius: 8px; background: #000 }
  .seek { position: relative; margin-top: .5rem }
  .seek input { width: 100%; margin: 0 }
  .seek output { position: absolute; bottom: 100%; translate: -50%; border: 2px solid Canvas; border-radius: 6px; overflow: hidden; pointer-events: none }
  .seek time { position: absolute; bottom: 0; inset-inline: 0; text-align: center; font-size: .8rem; color: #fff; background: #000a }
  ol, ul { list-style: none; padding: 0 }
  select { font: inherit }
  li button { font: inherit; color: inherit; background: none; border: 0; padding: .25rem .5rem; text-align: start; cursor: pointer }
  li button:hover, li button:focus-visible { background: color-mix(in srgb, currentColor 12%, transparent); border-radius: 4px }
</style>
<h1>${title}</h1>
<div class="players">
<div class="film">
<video controls${posterOf(storyboard?.poster)}></video>
${storyboard === null ? '' : '<div class="seek"><input type="range" min="0" max="0" step="0.1" value="0" aria-label="Seek by pictures"><output hidden><time></time></output></div>'}
</div>
${clips.map(figure).join('\n')}
</div>
<p><label>Language: <select>${versions.map(choice).join('')}</select></label></p>
${versions.map(section).join('\n')}
<script>
  let video = document.querySelector('video');
  const select = document.querySelector('select');
  const versions = ${inScript(versions.map((version) => ({ source: version.source, ...track(version) })))};
  // A new element for each language: Chromium keeps drawing the subtitles of a removed track while the video is paused.
  const play = ({ source, ...track }) => {
    const { currentTime, paused, poster } = video;
    const next = Object.assign(document.createElement('video'), { controls: true, poster, src: source });
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
  show();${storyboard === null ? '' : seeking(storyboard)}
</script>
</html>
`;
}

/** The seek bar: shows the picture at the pointer, or at the position chosen by keyboard. */
const seeking = (storyboard: Storyboard) => `
  const storyboard = ${inScript(storyboard)};
  const seek = document.querySelector('.seek input');
  const preview = document.querySelector('.seek output');
  const preview_time = preview.querySelector('time');
  Object.assign(preview.style, { width: storyboard.tile_width + 'px', height: storyboard.tile_height + 'px' });
  const preview_at = (seconds) => {
    const tile = storyboard.tiles.findLast(({ start_ms }) => start_ms <= seconds * 1000) ?? storyboard.tiles[0];
    const share = seconds / (Number(seek.max) || 1);
    preview.style.background = 'url("' + tile.sheet + '") -' + tile.x + 'px -' + tile.y + 'px';
    preview.style.left = 'clamp(' + storyboard.tile_width / 2 + 'px, ' + share * 100 + '%, 100% - ' + storyboard.tile_width / 2 + 'px)';
    preview_time.textContent = Math.floor(seconds / 60) + ':' + String(Math.floor(seconds % 60)).padStart(2, '0');
    preview.hidden = false;
  };
  const follow = () => {
    if (Number.isFinite(video.duration)) seek.max = video.duration;
    if (!seek.matches(':active')) seek.value = video.currentTime;
    requestAnimationFrame(follow);
  };
  seek.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = seek.getBoundingClientRect();
    preview_at(Math.min(1, Math.max(0, (clientX - left) / width)) * seek.max);
  });
  seek.addEventListener('input', () => {
    video.currentTime = Number(seek.value);
    preview_at(Number(seek.value));
  });
  for (const event of ['pointerleave', 'blur', 'change']) seek.addEventListener(event, () => { preview.hidden = true });
  follow();`;

const posterOf = (address: string | null | undefined) => (address ? ` poster="${escaped(address)}"` : '');

const figure = ({ source, poster, caption }: Watched['clips'][number]) =>
  `<figure><video controls${posterOf(poster)} src="${escaped(source)}"></video><figcaption>${escaped(caption)}</figcaption></figure>`;

const track = ({ language, vtt }: Version) => ({
  srclang: language.code,
  label: language.native_name,
  src: `data:text/vtt;base64,${Buffer.from(vtt).toString('base64')}`,
});

/** Returns JSON that cannot end the script element. */
const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const choice = ({ language }: Version) => `<option>${escaped(language.native_name)}</option>`;

function section({ language, segments, qc, files }: Version): string {
  const rows = segments.map(({ start_ms, text }) => `<li>${moment(start_ms, text)}</li>`);
  const findings = qc.findings.map(
    ({ severity, start_ms, detail }) => `<li>${moment(start_ms, `${severity}: ${detail}`)}</li>`,
  );
  const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  const counts = `${counted(qc.errors, 'error')}, ${counted(qc.warnings, 'warning')}`;
  const verdict = `${qc.passed ? 'passed' : 'not passed'}, ${counts}`;
  const links = files.map(
    ({ format, file }) => `<a href="${encodeURIComponent(file)}" download>${escaped(format)}</a>`,
  );
  return `<section hidden>
<p>${links.join(' · ')}</p>
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
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => defined(entities[character]));
