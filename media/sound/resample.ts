/** Resamples with windowed sinc filters, one for each position between two samples (Smith, "Digital Audio Resampling"). */

/** The number of zero crossings of a filter on each side. It is enough for speech, whose highest octave is weak. */
const CROSSINGS = 12;
/** The share of the common frequency range that the filter keeps. In the rest, the filter falls to zero. */
const KEPT = 0.95;

/** Converts mono samples from one rate to another. The duration stays the same, within one sample. */
export function resample(samples: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return samples;
  const shared = greatestDivisor(from, to);
  const [steps, phases] = [from / shared, to / shared];
  const filters = filtersFor(phases, KEPT * Math.min(1, to / from));
  const taps = filters[0]!.length;
  const padded = new Float32Array(samples.length + 2 * taps);
  padded.set(samples, taps);
  const result = new Int16Array(Math.round((samples.length * to) / from));
  let [whole, phase] = [taps - (taps >> 1) + 1, 0];
  for (let at = 0; at < result.length; at++) {
    const filter = filters[phase]!;
    // Computes two sums, which the processor adds in parallel: each addition to a sum must wait for the previous addition.
    let even = 0;
    let odd = 0;
    for (let tap = 0; tap < taps; tap += 2) {
      even += filter[tap]! * padded[whole + tap]!;
      odd += filter[tap + 1]! * padded[whole + tap + 1]!;
    }
    result[at] = Math.max(-32768, Math.min(32767, Math.round(even + odd)));
    phase += steps;
    while (phase >= phases) {
      phase -= phases;
      whole++;
    }
  }
  return result;
}

const known = new Map<string, Float32Array[]>();

/** Returns a filter for each position between two samples. @param cutoff the cutoff frequency, as a share of half the sample rate */
function filtersFor(phases: number, cutoff: number): Float32Array[] {
  const key = `${phases} ${cutoff}`;
  const found = known.get(key);
  if (found) return found;
  const reach = Math.ceil(CROSSINGS / cutoff);
  const filters = Array.from({ length: phases }, (_, phase) => filterAt(phase / phases, reach, cutoff));
  known.set(key, filters);
  return filters;
}

/** Returns a filter whose taps add up to 1, so that a constant signal stays constant. */
function filterAt(offset: number, reach: number, cutoff: number): Float32Array {
  const taps = Float32Array.from({ length: 2 * reach }, (_, tap) => {
    const distance = tap - reach + 1 - offset;
    return sinc(cutoff * distance) * blackman(distance / reach);
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** A Blackman window. @param x the position in the window, from -1 to 1 */
const blackman = (x: number) =>
  Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));
