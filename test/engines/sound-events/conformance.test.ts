/** Runs the conformance suite for every sound event engine in the registry, on sounds with known events. */
import { describe, expect, it } from 'vitest';
import { sound_events } from '../../../engines/registry.ts';
import { createSoundListener, type FindEvents } from '../../../media/sound/sound-listener.ts';
import type { SoundEvent, SoundEventKind } from '../../../shared/sound.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { seeded } from '../../support/talk/random.ts';
import { soundOf } from '../../support/talk/sounds.ts';
import { scene, type Truth } from './scenes.ts';

const RATE = 16_000;
/** The greatest error of a start or an end, ms. */
const NEAR_MS = 300;

function eventsIn(samples: Int16Array, find: FindEvents): SoundEvent[] {
  const listener = createSoundListener();
  listener.push(samples);
  return outcomeOf(listener.end(find)).events!;
}

const isFound = (truth: Truth, events: readonly SoundEvent[]) =>
  events.some(
    ({ kind, start_ms, end_ms }) =>
      kind === truth.kind &&
      Math.abs(start_ms - truth.start_ms) <= NEAR_MS &&
      Math.abs(end_ms - truth.end_ms) <= NEAR_MS,
  );

/** The F1 score for a kind of events. */
function scoreOf(kind: SoundEventKind, scenes: readonly { truth: Truth[]; events: SoundEvent[] }[]): number {
  let [found, there, told] = [0, 0, 0];
  for (const { truth, events } of scenes) {
    const wanted = truth.filter((one) => one.kind === kind);
    found += wanted.filter((one) => isFound(one, events)).length;
    there += wanted.length;
    told += events.filter((one) => one.kind === kind).length;
  }
  return (2 * found) / (there + told);
}

describe.each(sound_events.map((engine) => [engine.name, engine] as const))('%s', (_, engine) => {
  const { find } = engine.make({ settings: {} });

  it('finds music, applause, noise and silence in sequence, within 300 ms', () => {
    const scenes = [2, 9, 16].map((seed) => {
      const { samples, truth } = scene(seed, 8);
      return { truth, events: eventsIn(samples, find) };
    });
    expect(scoreOf('music', scenes)).toBeGreaterThanOrEqual(0.95);
    expect(scoreOf('applause', scenes)).toBeGreaterThanOrEqual(0.9);
    expect(scoreOf('noise', scenes)).toBeGreaterThanOrEqual(0.95);
    expect(scoreOf('silence', scenes)).toBeGreaterThanOrEqual(0.95);
  });

  it('does not report silence if a loud beep interrupts it each second', () => {
    const silence = new Int16Array(20 * RATE);
    expect(eventsIn(silence, find)).toMatchObject([{ kind: 'silence', start_ms: 0 }]);
    const beeps = silence.map((_, at) =>
      at % RATE < 0.04 * RATE ? 26_000 * Math.sin((at * Math.PI) / 8) : 0,
    );
    expect(eventsIn(beeps, find).filter(({ kind }) => kind === 'silence')).toEqual([]);
  });

  it('returns events in order, without overlap and within the sound', () => {
    const { samples } = scene(4, 3);
    const events = eventsIn(samples, find);
    for (const [at, { start_ms, end_ms }] of events.entries()) {
      expect(start_ms).toBeGreaterThanOrEqual(events[at - 1]?.end_ms ?? 0);
      expect(end_ms).toBeGreaterThan(start_ms);
      expect(end_ms).toBeLessThanOrEqual(samples.length / 16);
    }
  });

  it('does not report a line-up tone as music, or noise of any color as applause', () => {
    const random = seeded(3);
    const tone = Int16Array.from(
      { length: 6 * RATE },
      (_, i) => 3000 * Math.sin((2 * Math.PI * 1000 * i) / RATE),
    );
    const white = Int16Array.from({ length: 6 * RATE }, () => random.between(-3000, 3000));
    const pink = soundOf('pinkNoise', random, 6, -20);
    for (const samples of [tone, white, pink]) {
      expect(eventsIn(samples, find).filter(({ kind }) => kind === 'music' || kind === 'applause')).toEqual(
        [],
      );
    }
  });

  it.each([0, 1, 160, 4000])('accepts sound of %i samples', (length) => {
    expect(eventsIn(new Int16Array(length), find).every(({ kind }) => kind === 'silence')).toBe(true);
  });
});
