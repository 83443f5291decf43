/** Measures how well and how smoothly frames follow moving subjects, on videos with known positions of the subject. */

import { defined, itemAt } from '../shared/checked-access.ts';
import {
  cornersOf,
  type Framed,
  type FramingScores,
  framed,
  scoresOf,
} from '../test/support/framing-scores.ts';
import { motions, movingSubjects } from '../test/support/test-videos/plans.ts';
import { makeTestVideo, type TestVideo } from '../test/support/test-videos.ts';
import { inFolder } from './kit.ts';
import { median, type Report } from './report.ts';

const SEEDS = 12;
/** Still subjects without a face are left out, because the analyses cannot find such subjects. */
const kinds = motions.filter((motion) => motion !== 'still');

type Scores = FramingScores & { kind: string; way: string };

export const run = (): Promise<Report> => inFolder(measured);

async function measured(folder: string): Promise<Report> {
  const scores: Scores[] = [];
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const video = await makeTestVideo(movingSubjects(seed, kinds), folder);
    const found = await framed(video, video.width > video.height ? { x: 9, y: 16 } : { x: 1, y: 2.5 });
    const ours = cornersOf(found.crop, video.frames, video.frame_rate);
    const ways = {
      'along the path': ours,
      'the middle': middles(video, found),
      'bare motion': bareMotion(video, found),
    };
    for (const [way, corners] of Object.entries(ways)) {
      for (const [at, kind] of kinds.entries()) {
        const shot = { ...video, shots: [itemAt(video.shots, at)] };
        scores.push({ kind, way, ...scoresOf(shot, found.crop, corners) });
      }
    }
  }
  const ways = [...new Set(scores.map(({ way }) => way))];
  return {
    title: 'Framing',
    method:
      `9:16 frames (2:5 of upright videos) of ${SEEDS} videos by seed, at 24 to 50 frames a second and of six sizes, in each of which a disc moves through ` +
      'shots in five ways before a patterned picture with grain and flicker; cuts are given. Whole is the share of frames in which the frame has all of the disc that ' +
      'the picture has (frames in which less than half of it is left are not counted), centre that in which it has its middle. Acceleration ' +
      'is the largest in any shot, in widths of the picture a second, each second: × 3.07 gives pixels a frame, each frame, of 1920 pixels at 25 ' +
      'frames a second. Travel is in widths a minute, the median of shots. The bare motion centre is what is seen five times a second, drawn straight.',
    columns: ['whole, %', 'worst shot, %', 'centre, %', 'acceleration', 'travel'],
    rows: ways.flatMap((way) => {
      const ofWay = scores.filter((score) => score.way === way);
      const ofKind = (kind: string) => ofWay.filter((score) => score.kind === kind);
      const byKind = way === 'along the path' ? kinds : [];
      return [row(way, ofWay), ...byKind.map((kind) => row(`${way}: ${kind}`, ofKind(kind)))];
    }),
    void: null,
  };
}

function row(name: string, scores: readonly Scores[]) {
  const percent = (value: number) => (100 * value).toFixed(1);
  const mean = (member: 'whole' | 'centre') =>
    scores.reduce((sum, score) => sum + score[member], 0) / scores.length;
  const worst = Math.min(...scores.map(({ whole }) => whole));
  const acceleration = Math.max(...scores.map((score) => score.acceleration));
  const travel = median(scores.map((score) => score.travel));
  return {
    name,
    values: [
      percent(mean('whole')),
      percent(worst),
      percent(mean('centre')),
      acceleration.toFixed(2),
      travel.toFixed(1),
    ],
  };
}

const middles = ({ width, height, frames }: TestVideo, { crop }: Framed) =>
  Array.from({ length: frames }, () => ({ x: (width - crop.width) / 2, y: (height - crop.height) / 2 }));

/** Centers the frame without smoothing, on straight lines between the measured centers of motion. */
function bareMotion({ width, frames, frame_rate }: TestVideo, { crop, motion }: Framed) {
  const seen = motion.filter(({ weight }) => weight > 0);
  return Array.from({ length: frames }, (_, frame) => {
    const at_ms = (frame * 1000) / frame_rate;
    const next = seen.findIndex((sample) => sample.at_ms > at_ms);
    const [one, other] = [
      itemAt(seen, next === -1 ? seen.length - 1 : Math.max(0, next - 1)),
      defined(seen[Math.max(0, next)]),
    ];
    const share = other.at_ms > one.at_ms ? Math.max(0, (at_ms - one.at_ms) / (other.at_ms - one.at_ms)) : 0;
    const centre = (one.x + (other.x - one.x) * share) * width;
    return { x: Math.min(width - crop.width, Math.max(0, centre - crop.width / 2)), y: 0 };
  });
}
