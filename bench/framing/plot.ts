/** Draws where a subject is and where the frame is, frame by frame, as an SVG that a browser shows. */
import type { TestVideo } from '../../test/support/test-videos.ts';

export interface Plotted {
  readonly video: TestVideo;
  /** Left edge of the frame at each frame of the video, pixels. */
  readonly lefts: readonly number[];
  /** Of the frame, pixels. */
  readonly width: number;
  /** What each shot shows. */
  readonly names: readonly string[];
  /** Where motion was seen, before anything is smoothed. */
  readonly motion: readonly { readonly at_ms: number; readonly x: number; readonly weight: number }[];
}

const WIDTH = 1400;
const HEIGHT = 420;
const MARGIN = { left: 64, top: 44, bottom: 40, right: 16 };

/** Time runs to the right; the left side of the picture is at the top. */
export function plotOf({ video, lefts, width, names, motion }: Plotted): string {
  const [across, down] = [WIDTH - MARGIN.left - MARGIN.right, HEIGHT - MARGIN.top - MARGIN.bottom];
  const at = (frame: number) => (MARGIN.left + (frame / video.frames) * across).toFixed(1);
  const y = (share: number) => (MARGIN.top + share * down).toFixed(1);
  const share = (pixels: number) => pixels / video.width;
  const band = (top: (frame: number) => number, low: (frame: number) => number, from: number, to: number) => {
    const frames = Array.from({ length: to - from }, (_, offset) => from + offset);
    const there = frames.map((frame) => `${at(frame)},${y(top(frame))}`);
    const back = frames.toReversed().map((frame) => `${at(frame)},${y(low(frame))}`);
    return [...there, ...back].join(' ');
  };
  const within = (value: number) => Math.min(1, Math.max(0, value));
  const shots = video.shots.map(({ start_frame, end_frame }, number) => {
    const frame = band(
      (f) => share(lefts[f]!),
      (f) => share(lefts[f]! + width),
      start_frame,
      end_frame,
    );
    const place = (f: number) => video.subjects[f]![0];
    const subject = place(start_frame)
      ? band(
          (f) => within(place(f)!.x),
          (f) => within(place(f)!.x + place(f)!.width),
          start_frame,
          end_frame,
        )
      : '';
    return `<polygon points="${frame}" fill="#1f77b4" fill-opacity=".22" stroke="#1f77b4" stroke-width="1.5"/>
<polygon points="${subject}" fill="#d62728" fill-opacity=".35"/>
<line x1="${at(start_frame)}" x2="${at(start_frame)}" y1="${y(0)}" y2="${y(1)}" stroke="#444" stroke-dasharray="4 3"/>
<text x="${at(start_frame)}" y="${MARGIN.top - 8}" dx="4">${names[number] ?? ''}</text>`;
  });
  const dots = motion
    .filter(({ weight }) => weight > 0.04)
    .map(({ at_ms, x, weight }) => {
      const frame = (at_ms * video.frame_rate) / 1000;
      return `<circle cx="${at(frame)}" cy="${y(x)}" r="2" fill-opacity="${(0.25 + 0.75 * weight).toFixed(2)}"/>`;
    });
  const seconds = Array.from({ length: Math.floor(video.duration_ms / 5000) + 1 }, (_, five) => five * 5);
  const marks = seconds.map((second) => {
    const x = at(second * video.frame_rate);
    return `<text x="${x}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${second} s</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="13">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<rect x="${MARGIN.left}" y="${MARGIN.top}" width="${across}" height="${down}" fill="none" stroke="#999"/>
<text x="8" y="${y(0)}" dy="12">left</text><text x="8" y="${y(1)}">right</text>
${shots.join('\n')}
${dots.join('\n')}
${marks.join('\n')}
<text x="${MARGIN.left}" y="16">${video.width} × ${video.height}, ${video.frame_rate.toFixed(2)} frames a second. Red: the subject. Blue: the frame. Dots: motion as it was seen.</text>
</svg>
`;
}
