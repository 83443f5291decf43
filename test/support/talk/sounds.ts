/** Synthesizes music, noise and silence without speech. */
import type { Random } from './random.ts';

const RATE = 16_000;

type Interlude = { kind: 'music' | 'noise' | 'silence'; pcm: Int16Array };

/** Returns a few seconds of one of the sounds below, faded in and out to avoid clicks. */
export function interlude(random: Random, seconds: number): Interlude {
  const { kind, make } = random.pick(sounds);
  const length = Math.round(seconds * RATE);
  const heard = make(random, length);
  return { kind, pcm: faded(atLevel(heard, kind === 'silence' ? -100 : random.between(-28, -18))) };
}

/** Returns one of the sounds by name, at a level in dB below full scale, faded in and out. */
export function soundOf(
  name: keyof typeof named,
  random: Random,
  seconds: number,
  level_db: number,
): Int16Array {
  return faded(atLevel(named[name](random, Math.round(seconds * RATE)), level_db));
}

const named = { pad, arpeggio, band, applause, pinkNoise };

const sounds: readonly { kind: Interlude['kind']; make: (random: Random, length: number) => Float32Array }[] =
  [
    { kind: 'music', make: pad },
    { kind: 'music', make: arpeggio },
    { kind: 'music', make: band },
    { kind: 'music', make: band },
    { kind: 'noise', make: applause },
    { kind: 'noise', make: pinkNoise },
    { kind: 'silence', make: (_, length) => new Float32Array(length) },
  ];

/** Semitones above the key, for common chord progressions. */
const progressions = [
  [
    [0, 4, 7],
    [9, 12, 16],
    [5, 9, 12],
    [7, 11, 14],
  ],
  [
    [0, 3, 7],
    [8, 12, 15],
    [3, 7, 10],
    [10, 14, 17],
  ],
  [
    [0, 4, 7],
    [7, 11, 14],
    [9, 12, 16],
    [5, 9, 12],
  ],
];

type Score = { beat: number; chords: readonly (readonly number[])[]; key: number };

const score = (random: Random): Score => ({
  beat: Math.round((60 / random.between(76, 132)) * RATE),
  chords: random.pick(progressions),
  key: random.between(110, 220),
});

const chordAt = ({ beat, chords }: Score, sample: number) =>
  chords[Math.floor(sample / (4 * beat)) % chords.length]!;
const pitch = ({ key }: Score, semitones: number) => key * 2 ** (semitones / 12);

/** A note with harmonics that fall by 1/n². Attack and decay are in seconds. Decay is the time until 1/e. */
function addNote(
  to: Float32Array,
  at: number,
  length: number,
  hertz: number,
  { attack, decay, gain }: { attack: number; decay: number; gain: number },
): void {
  const end = Math.min(to.length, at + length);
  for (let harmonic = 1; harmonic <= 6 && hertz * harmonic < 7_000; harmonic++) {
    const step = (2 * Math.PI * hertz * harmonic) / RATE;
    const loud = gain / (harmonic * harmonic);
    for (let i = at; i < end; i++) {
      const t = (i - at) / RATE;
      const release = Math.min(1, (end - i) / (0.02 * RATE));
      to[i]! += loud * Math.min(1, t / attack) * Math.exp(-t / decay) * release * Math.sin(step * (i - at));
    }
  }
}

/** Chords that last one bar each, like an organ or strings. */
function pad(random: Random, length: number): Float32Array {
  const heard = new Float32Array(length);
  const played = score(random);
  const bar = played.beat * 4;
  for (let at = 0; at < length; at += bar)
    for (const semitones of chordAt(played, at))
      addNote(heard, at, bar, pitch(played, semitones), { attack: 0.15, decay: 9, gain: 1 });
  return heard;
}

/** Plucked notes of the chords, two per beat. */
function arpeggio(random: Random, length: number): Float32Array {
  const heard = new Float32Array(length);
  const played = score(random);
  const step = Math.round(played.beat / 2);
  for (let at = 0, note = 0; at < length; at += step, note++) {
    const chord = chordAt(played, at);
    const semitones = chord[note % chord.length]! + 12 * (note % 2);
    addNote(heard, at, step * 3, pitch(played, semitones), { attack: 0.005, decay: 0.35, gain: 1 });
  }
  return heard;
}

/** Bass, chords, a melody and drums. */
function band(random: Random, length: number): Float32Array {
  const heard = new Float32Array(length);
  const played = score(random);
  for (let at = 0, beat = 0; at < length; at += played.beat, beat++) {
    const chord = chordAt(played, at);
    addNote(heard, at, played.beat, pitch(played, chord[0]! - 12), { attack: 0.01, decay: 0.5, gain: 1.2 });
    for (const semitones of chord)
      addNote(heard, at, played.beat, pitch(played, semitones), { attack: 0.01, decay: 0.4, gain: 0.4 });
    const tune = { attack: 0.02, decay: 0.6, gain: 0.8 };
    addNote(heard, at, played.beat, pitch(played, random.pick(chord) + 12), tune);
    addDrum(heard, random, at, beat % 2 === 0 ? 'bass' : 'snare');
    addDrum(heard, random, at + (played.beat >> 1), 'hat');
  }
  return heard;
}

/** Frequency of the skin in hertz (0: none), levels of the skin and of the rattle, and seconds until 1/e. */
const drums = {
  bass: { hertz: 62, skin: 2, rattle: 0.05, decay: 0.09 },
  snare: { hertz: 180, skin: 0.5, rattle: 0.8, decay: 0.06 },
  hat: { hertz: 0, skin: 0, rattle: 0.35, decay: 0.02 },
};

function addDrum(to: Float32Array, random: Random, at: number, drum: keyof typeof drums): void {
  const { hertz, skin, rattle, decay } = drums[drum];
  const end = Math.min(to.length, at + Math.round(decay * 6 * RATE));
  for (let i = at; i < end; i++) {
    const t = (i - at) / RATE;
    const sound = skin * Math.sin(2 * Math.PI * hertz * t) + rattle * random.between(-1, 1);
    to[i]! += sound * Math.exp(-t / decay);
  }
}

/** Forty people, each with a tempo and a sound of their hands. */
function applause(random: Random, length: number): Float32Array {
  const heard = new Float32Array(length);
  for (let person = 0; person < 40; person++) {
    const pace = RATE / random.between(2.5, 4.5);
    const hands = { hertz: random.between(800, 2_500), gain: random.between(0.2, 1) };
    let at = random.between(0, pace * 3);
    while (at < length) {
      addClap(heard, random, Math.round(at), hands);
      at += pace * random.between(0.85, 1.15);
    }
  }
  return heard;
}

/** Noise through the resonance of hands (two poles), which ends within hundredths of a second. */
function addClap(
  to: Float32Array,
  random: Random,
  at: number,
  { hertz, gain }: { hertz: number; gain: number },
): void {
  const radius = 0.9;
  const turn = 2 * radius * Math.cos((2 * Math.PI * hertz) / RATE);
  let [before, last] = [0, 0];
  for (let i = at; i < Math.min(to.length, at + 0.03 * RATE); i++) {
    const now =
      random.between(-1, 1) * Math.exp(-(i - at) / (0.006 * RATE)) + turn * last - radius ** 2 * before;
    [before, last] = [last, now];
    to[i]! += gain * now;
  }
}

/** Sums rows of noise. Each row changes half as often as the previous row (Voss and McCartney). */
function pinkNoise(random: Random, length: number): Float32Array {
  const rows = new Float32Array(12);
  const heard = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const row = Math.min(rows.length - 1, Math.clz32((i + 1) & -(i + 1)) ^ 31);
    rows[row] = random.between(-1, 1);
    heard[i] = rows.reduce((sum, value) => sum + value, 0) + random.between(-1, 1);
  }
  return heard;
}

/** Scales samples to a root mean square in dB below full scale, and clips peaks. */
export function atLevel(heard: Float32Array, level_db: number): Int16Array {
  const power = heard.reduce((sum, value) => sum + value * value, 0) / heard.length;
  const gain = power > 0 ? (32_768 * 10 ** (level_db / 20)) / Math.sqrt(power) : 0;
  return Int16Array.from(heard, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value * gain))));
}

function faded(pcm: Int16Array): Int16Array {
  const length = 0.15 * RATE;
  return pcm.map((value, i) => Math.round(value * Math.min(1, i / length, (pcm.length - 1 - i) / length)));
}
