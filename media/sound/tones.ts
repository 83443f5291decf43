/** Finds steady tones. Instruments make steady tones, voices rarely do. */
import { peakBetween } from './pitch.ts';
import { BINS, createSpectrum } from './spectrum.ts';

/** The range of frequencies that is searched, in steps of 7.8 Hz. A frame here is 100 ms of a signal at 4 kHz. A new one starts every 40 ms. */
const LOWEST = 10;
const HIGHEST = 250;
/** A peak is `RISE_DB` above the mean of `AROUND` frequency steps on each side. */
const RISE_DB = 8;
const AROUND = 8;
/** A steady tone moves by less than `STILL` frequency steps from frame to frame. It counts after `OLD` frames (240 ms). */
const STILL = 0.5;
const OLD = 6;

export type Tones = {
  count: number;
  /** The share of steady tones in the energy between 80 Hz and 2 kHz. */
  share: number;
};

/** Receives samples at 4 kHz, and updates `last` every 40 ms. The method is continuous frequency activation (Seyerlehner et al. 2007). */
export function createTones() {
  const last: Tones = { count: 0, share: 0 };
  const db = new Float32Array(BINS);
  let ages = new Uint8Array(BINS);
  let places = new Float32Array(BINS);
  let agesBefore = new Uint8Array(BINS);
  let placesBefore = new Float32Array(BINS);

  const onFrame = ({ power }: { power: Float32Array }) => {
    [ages, agesBefore] = [agesBefore, ages];
    [places, placesBefore] = [placesBefore, places];
    ages.fill(0);
    let total = 1e-9;
    for (let bin = 0; bin < BINS; bin++) {
      db[bin] = 10 * Math.log10(power[bin]! + 1e-9);
      if (bin >= LOWEST && bin <= HIGHEST) total += power[bin]!;
    }
    let count = 0;
    let steady = 0;
    let around = 0;
    for (let bin = LOWEST - AROUND; bin < LOWEST + AROUND; bin++) around += db[bin]!;
    for (let bin = LOWEST; bin <= HIGHEST - AROUND; bin++) {
      around += db[bin + AROUND]! - (bin > LOWEST ? db[bin - AROUND - 1]! : 0);
      const isPeak =
        db[bin]! > db[bin - 1]! &&
        db[bin]! >= db[bin + 1]! &&
        db[bin]! > db[bin - 2]! &&
        db[bin]! > db[bin + 2]! &&
        db[bin]! > around / (2 * AROUND + 1) + RISE_DB;
      if (!isPeak) continue;
      const place = peakBetween(db, bin);
      places[bin] = place;
      ages[bin] = 1;
      for (let from = bin - 1; from <= bin + 1; from++)
        if (agesBefore[from]! > 0 && Math.abs(placesBefore[from]! - place) < STILL)
          ages[bin] = Math.max(ages[bin]!, Math.min(200, agesBefore[from]! + 1));
      if (ages[bin]! < OLD) continue;
      count += 1;
      for (let near = bin - 2; near <= bin + 2; near++) steady += power[near]!;
    }
    last.count = count;
    last.share = Math.min(1, steady / total);
  };
  const spectrum = createSpectrum(onFrame, { emphasis: 0, window: 'hann', bands: 1 });
  return { push: spectrum.push, last };
}
