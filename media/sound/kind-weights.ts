/**
 * The weights of the sound classifier. Each feature has a mean and a deviation over the training sounds, and one weight for each
 * kind. The weight is the evidence for this kind if the feature is one deviation higher. The weights come from logistic regression.
 * Training data, and accuracy on other recordings: docs/decisions/0031-sound-map.md.
 */
type Weight = { mean: number; deviation: number; speech: number; music: number; noise: number };

/** The scores of speech, music and noise if all features have their mean values. */
export const bias = [1.3, -0.68, -0.62] as const;

/** In the order of the features of a window. */
export const weights = {
  active: { mean: 0.852, deviation: 0.21, speech: 0.49, music: 0.53, noise: -1.02 },
  low_energy: { mean: 0.322, deviation: 0.242, speech: 0.62, music: -0.11, noise: -0.51 },
  level_deviation: { mean: 6.018, deviation: 2.89, speech: -0.4, music: 0.44, noise: -0.04 },
  syllables: { mean: 4.208, deviation: 2.839, speech: 1.12, music: -0.11, noise: -1.01 },
  phrases: { mean: 4.738, deviation: 4.237, speech: 0.77, music: -1.81, noise: 1.04 },
  flux: { mean: 3.124, deviation: 1.219, speech: -0.83, music: -0.29, noise: 1.11 },
  flux_deviation: { mean: 2.074, deviation: 1.28, speech: -0.82, music: 0.79, noise: 0.03 },
  drift: { mean: 4.206, deviation: 1.49, speech: 2.15, music: -1.29, noise: -0.86 },
  drift_low: { mean: 2.666, deviation: 0.835, speech: -0.49, music: 1.0, noise: -0.51 },
  flatness: { mean: -8.672, deviation: 3.957, speech: 0.82, music: -0.2, noise: -0.62 },
  flatness_deviation: { mean: 3.244, deviation: 1.528, speech: 0.29, music: -0.06, noise: -0.23 },
  centroid_deviation: { mean: 2.401, deviation: 1.645, speech: -0.17, music: -0.28, noise: 0.45 },
  hiss_deviation: { mean: 8.068, deviation: 4.454, speech: -0.41, music: -0.22, noise: 0.64 },
  hiss_peaks: { mean: 14.677, deviation: 9.882, speech: 0.71, music: 0.42, noise: -1.12 },
  voiced: { mean: 0.654, deviation: 0.276, speech: 1.4, music: -0.52, noise: -0.88 },
  voicing_deviation: { mean: 0.179, deviation: 0.064, speech: 0.43, music: 0.05, noise: -0.48 },
  voiced_run: { mean: 2.505, deviation: 1.008, speech: -0.43, music: -0.12, noise: 0.55 },
  glide: { mean: 0.557, deviation: 0.431, speech: 0.03, music: 0.45, noise: -0.49 },
  steady_pitch: { mean: 0.399, deviation: 0.342, speech: -1.61, music: 1.27, noise: 0.33 },
  pitch_deviation: { mean: 4.423, deviation: 2.665, speech: -0.08, music: 0.28, noise: -0.2 },
  tones: { mean: 1.173, deviation: 2.085, speech: 0.48, music: -0.26, noise: -0.22 },
  tonality: { mean: 0.14, deviation: 0.216, speech: -0.2, music: 0.86, noise: -0.66 },
  tonality_low: { mean: 0.059, deviation: 0.161, speech: -0.94, music: 0.25, noise: 0.69 },
} as const satisfies Readonly<Record<string, Weight>>;

export const featureNames = Object.keys(weights) as (keyof typeof weights)[];
