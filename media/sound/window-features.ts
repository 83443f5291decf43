/** Computes features of two seconds of sound, which distinguish speech, music and noise. */
import { type FrameMeasures, type Measure, measureNames } from './frame-measures.ts';

/** In frames of 10 ms: a window lasts 2 s, and a new one starts every 200 ms. */
export const WINDOW = 200;
export const STEP = 20;
/** Frames count as pauses if they are this far below the loud frames of their window, dB. */
const DEPTH_DB = 30;
/** Sound below this level is ignored, dB relative to full scale. */
const LEAST_DB = -76;
/** The minimum voicing of periodic sound. */
const VOICED = 0.6;

/** Creates a function that writes the features, in the order of `featureNames`. It returns false if too little sound is audible. */
export function createFeatures(facts: FrameMeasures) {
  const columns = Object.fromEntries(measureNames.map((name) => [name, facts.column(name)]));
  const { level, voiceLevel, flux, drift, flatness, centroid, hiss, voicing, pitch, tones, tonality } =
    columns as Record<Measure, Float32Array>;
  const fast = smoothed(voiceLevel, 3);
  const middle = smoothed(voiceLevel, 15);
  const slow = smoothed(voiceLevel, 60);
  return (center: number, out: Float32Array): boolean => {
    const from = Math.max(0, center - WINDOW / 2);
    const to = Math.min(facts.length, center + WINDOW / 2);
    const levels = Array.from(voiceLevel.subarray(from, to)).sort((a, b) => a - b);
    const loud = levels[Math.floor(levels.length * 0.95)]!;
    const least = Math.max(loud - DEPTH_DB, LEAST_DB);
    const frames: number[] = [];
    for (let i = from; i < to; i++) if (voiceLevel[i]! > least) frames.push(i);
    if (frames.length < 10) return false;
    const mean = (values: Float32Array) => frames.reduce((total, i) => total + values[i]!, 0) / frames.length;
    const deviation = (values: Float32Array) => {
      const middle = mean(values);
      return Math.sqrt(frames.reduce((total, i) => total + (values[i]! - middle) ** 2, 0) / frames.length);
    };
    const quantile = (values: Float32Array, share: number) => {
      const sorted = frames.map((i) => values[i]!).sort((a, b) => a - b);
      return sorted[Math.floor(share * (sorted.length - 1))]!;
    };
    let power = 0;
    for (let i = from; i < to; i++) power += 10 ** (level[i]! / 10);
    const low = 10 * Math.log10(power / (to - from)) - 6;
    let quiet = 0;
    for (let i = from; i < to; i++) if (level[i]! < low) quiet += 1;
    let syll = 0;
    let phr = 0;
    for (const i of frames) {
      syll += (fast[i]! - middle[i]!) ** 2;
      phr += (middle[i]! - slow[i]!) ** 2;
    }
    let voiced = 0;
    let runs = 0;
    let pairs = 0;
    let glide = 0;
    let steady = 0;
    let psum = 0;
    let psq = 0;
    for (const i of frames) {
      if (voicing[i]! < VOICED) continue;
      voiced += 1;
      psum += pitch[i]!;
      psq += pitch[i]! ** 2;
      if (i === from || voicing[i - 1]! < VOICED) runs += 1;
      if (i >= from + 4 && voicing[i - 4]! >= VOICED && voicing[i - 2]! >= VOICED) {
        const d = Math.abs(pitch[i]! - pitch[i - 4]!);
        if (d < 3) {
          pairs += 1;
          glide += d;
          if (d < 0.2) steady += 1;
        }
      }
    }
    const hissMean = mean(hiss);
    out.set([
      frames.length / (to - from),
      quiet / (to - from),
      deviation(voiceLevel),
      Math.sqrt(syll / frames.length),
      Math.sqrt(phr / frames.length),
      mean(flux),
      deviation(flux),
      mean(drift),
      quantile(drift, 0.2),
      mean(flatness),
      deviation(flatness),
      deviation(centroid),
      deviation(hiss),
      quantile(hiss, 0.95) - hissMean,
      voiced / frames.length,
      deviation(voicing),
      runs === 0 ? 0 : Math.log(voiced / runs),
      pairs === 0 ? 0 : glide / pairs,
      pairs === 0 ? 0 : steady / pairs,
      voiced === 0 ? 0 : Math.sqrt(Math.max(0, psq / voiced - (psum / voiced) ** 2)),
      Math.min(12, mean(tones)),
      mean(tonality),
      quantile(tonality, 0.25),
    ]);
    return true;
  };
}

/** Returns a moving average over `reach` frames on both sides. */
function smoothed(values: Float32Array, reach: number): Float32Array {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i]! + Math.max(LEAST_DB, values[i]!);
  return values.map((_, i) => {
    const from = Math.max(0, i - reach);
    const to = Math.min(values.length, i + reach + 1);
    return (sums[to]! - sums[from]!) / (to - from);
  });
}
