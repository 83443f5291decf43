import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SeenFace } from '../../../../engines/faces/port.ts';
import { type FaceSample, faceTracks } from '../../../../lambdas/analyses/rules/face-tracks.ts';
import { facesOf, keepFaceIds } from '../../../../lambdas/analyses/rules/faces.ts';
import { separatePersons } from '../../../../lambdas/analyses/rules/separate-persons.ts';

const face = (x: number, more: Partial<SeenFace> = {}): SeenFace => ({
  box: { x, y: 0.2, width: 0.2, height: 0.3 },
  confidence: 0.9,
  likeness: null,
  ...more,
});
const ana = [0, 0, 0];
const ben = [1, 0, 0];

const each = (...samples: SeenFace[][]): FaceSample[] =>
  samples.map((faces, at) => ({ at_ms: 1000 * at, faces }));

const times = (samples: FaceSample[], shots: { start_ms: number; end_ms: number }[]) =>
  faceTracks(samples, shots, 1000).map(({ start_ms, end_ms }) => [start_ms, end_ms]);

describe('tracks of faces', () => {
  it('join faces that overlap in consecutive samples', () => {
    const [track, ...others] = faceTracks(each([face(0.1)], [face(0.15)], [face(0.2)]), [], 1000);
    expect(others).toEqual([]);
    expect([track!.start_ms, track!.end_ms, track!.seen.length]).toEqual([0, 3000, 3]);
  });

  it('separate two faces in one picture: each continues the nearer face', () => {
    const tracks = faceTracks(each([face(0.1), face(0.5)], [face(0.55), face(0.12)]), [], 1000);
    expect(tracks.map(({ seen }) => seen.map((one) => one.face.box.x))).toEqual([
      [0.1, 0.12],
      [0.5, 0.55],
    ]);
  });

  it('end with their shot, and start with it if its first sample shows the face', () => {
    const samples = each([face(0.1)], [face(0.1)], [face(0.1)], [face(0.1)]);
    const shots = [
      { start_ms: 0, end_ms: 1400 },
      { start_ms: 1400, end_ms: 3500 },
    ];
    expect(times(samples, shots)).toEqual([
      [0, 1400],
      [1400, 3500],
    ]);
  });

  it('continue after two samples without the face, but not after three', () => {
    const gap = (empty: number) => each([face(0.1)], ...Array.from({ length: empty }, () => []), [face(0.1)]);
    expect(times(gap(2), [])).toEqual([[0, 4000]]);
    expect(times(gap(3), [])).toEqual([
      [0, 1000],
      [4000, 5000],
    ]);
  });

  it('separate two persons in the same place after a missed cut', () => {
    const samples = each([face(0.1, { likeness: ana })], [face(0.1, { likeness: ben })]);
    expect(times(samples, [])).toHaveLength(2);
  });

  it('follow a person who moves faster than a box, by the face embedding', () => {
    const samples = each([face(0.1, { likeness: ana })], [face(0.6, { likeness: ana })]);
    expect(times(samples, [])).toEqual([[0, 2000]]);
  });

  it('leave out a face in a single sample with low confidence', () => {
    expect(times(each([face(0.1, { confidence: 0.6 })], []), [])).toEqual([]);
    expect(times(each([face(0.1)], []), [])).toEqual([[0, 1000]]);
  });

  const fraction = fc.integer({ min: 0, max: 100 }).map((value) => value / 100);
  const anyFace = fc.record({
    box: fc.record({ x: fraction, y: fraction, width: fraction, height: fraction }),
    confidence: fraction,
    likeness: fc.option(fc.tuple(fraction, fraction)),
  });
  const anySamples = fc
    .array(fc.array(anyFace, { maxLength: 4 }), { maxLength: 12 })
    .map((all) => all.map((faces, at) => ({ at_ms: 500 * at, faces })));
  const anyShots = fc.uniqueArray(fc.integer({ min: 1, max: 6000 }), { maxLength: 4 }).map((cuts) => {
    const edges = [0, ...cuts.toSorted((one, other) => one - other), 6500];
    return edges.slice(1).map((end_ms, at) => ({ start_ms: edges[at]!, end_ms }));
  });

  it('contain each sighting once, without overlap in time, and are within one shot', () => {
    fc.assert(
      fc.property(anySamples, anyShots, (samples, shots) => {
        const tracks = faceTracks(samples, shots, 500);
        const all = tracks.flatMap(({ seen }) => seen.map((one) => one.face));
        expect(new Set(all).size).toBe(all.length);
        for (const { seen, start_ms, end_ms, best } of tracks) {
          expect(seen).toContain(best);
          expect(new Set(seen.map(({ at_ms }) => at_ms)).size).toBe(seen.length);
          expect(start_ms).toBeLessThan(end_ms);
          expect(shots.filter((shot) => shot.start_ms <= start_ms && end_ms <= shot.end_ms)).toHaveLength(1);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('become faces of the same duration, in boxes within the picture', () => {
    fc.assert(
      fc.property(anySamples, anyShots, fc.infiniteStream(fc.nat(2)), (samples, shots, numbers) => {
        const tracks = faceTracks(samples, shots, 500);
        const persons = tracks.map(() => numbers.next().value as number);
        const faces = facesOf(tracks, persons, String);
        expect(faces).toHaveLength(new Set(persons).size);
        const appearances = faces.flatMap((one) => one.appearances);
        const length = (spans: readonly { start_ms: number; end_ms: number }[]) =>
          spans.reduce((sum, { start_ms, end_ms }) => sum + end_ms - start_ms, 0);
        expect(length(appearances)).toBe(length(tracks));
        for (const { box } of appearances) {
          for (const edge of Object.values(box)) expect(edge).toBeGreaterThanOrEqual(0);
          expect(Math.max(box.x + box.width, box.y + box.height)).toBeLessThanOrEqual(1.0001);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('faces', () => {
  it('have one appearance for each place', () => {
    const tracks = faceTracks(each([face(0.1)], [face(0.12)], [face(0.22)], [face(0.24)]), [], 1000);
    const [found] = facesOf(tracks, [0], String);
    expect(found!.appearances).toEqual([
      { start_ms: 0, end_ms: 2000, box: { x: 0.11, y: 0.2, width: 0.2, height: 0.3 } },
      { start_ms: 2000, end_ms: 4000, box: { x: 0.23, y: 0.2, width: 0.2, height: 0.3 } },
    ]);
  });

  it('are one for each person, in order of their visible time, with the best sighting', () => {
    const samples = each([face(0.1)], [], [], [], [face(0.5, { confidence: 0.99 }), face(0.1)], [face(0.1)]);
    const tracks = faceTracks(samples, [], 1000);
    const faces = facesOf(tracks, [0, 1, 0], String);
    expect(faces.map(({ face_id, best }) => [face_id, best.at_ms])).toEqual([
      ['0', 0],
      ['1', 4000],
    ]);
  });

  it('are shown by a sighting with a picture, if there is one', () => {
    const cut = { ...face(0.1, { confidence: 0.8 }), crop: 'a key' };
    const [track] = faceTracks(each([face(0.1)], [cut as SeenFace], [face(0.1)]), [], 1000);
    expect(track!.best.face).toBe(cut);
  });

  it('are several persons if one picture shows them side by side, even if the engine assigns one', () => {
    const near = [0.2, 0, 0];
    const samples = each(
      [face(0.1, { likeness: ana }), face(0.6, { likeness: near })],
      [face(0.1, { likeness: ana }), face(0.6, { likeness: near })],
      [],
      [],
      [],
      [face(0.6, { likeness: near })],
    );
    const tracks = faceTracks(samples, [], 1000);
    expect(separatePersons(tracks, [0, 0, 0])).toEqual([0, 1, 1]);
    expect(separatePersons(tracks, [0, 1, 0])).toEqual([0, 1, 0]);
  });

  const found = (face_id: string, x: number, likeness: number[] | null) => ({
    face_id,
    confidence: 0.9,
    appearances: [{ start_ms: 0, end_ms: 4000, box: { x, y: 0.2, width: 0.2, height: 0.3 } }],
    likeness,
    thumbnail: null,
  });
  const idsOf = (...faces: Parameters<typeof keepFaceIds>) =>
    keepFaceIds(...faces).map(({ face_id }) => face_id);

  it('keep their ids in a new analysis by the face embedding, in any place', () => {
    const before = [found('ana', 0.1, ana), found('ben', 0.6, ben)];
    expect(idsOf([found('1', 0.1, [0.9, 0, 0]), found('2', 0.6, [0.1, 0, 0])], before)).toEqual([
      'ben',
      'ana',
    ]);
    expect(idsOf([found('1', 0.1, [0.5, 0.5, 0.5])], before)).toEqual(['1']);
  });

  it('keep their ids by times and places if the engine returns no embeddings', () => {
    const before = [found('ana', 0.1, null), found('ben', 0.6, ben)];
    expect(idsOf([found('1', 0.62, null), found('2', 0.12, null)], before)).toEqual(['ben', 'ana']);
    expect(idsOf([found('1', 0.35, null)], before)).toEqual(['1']);
  });
});
