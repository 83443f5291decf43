/** The conformance suite for face engines, on photographs of two people. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { EngineDeclaration } from '../../../engines/engine.ts';
import type { FaceCrop, Faces } from '../../../engines/faces/port.ts';
import { overlapOf } from '../../../shared/boxes.ts';
import { altered, cat, collins, grass, hopper, pictureOf, sideBySide } from '../../fixtures/photographs.ts';

export function describeConformance(declared: EngineDeclaration, setUp: () => Promise<Faces>): void {
  describe(`${declared.name} as an engine for faces`, () => {
    let faces: Faces;
    beforeAll(async () => {
      faces = await setUp();
    });

    const facesOn = async (jpeg: Buffer) => faces.find(await pictureOf(jpeg));
    const cropOf = async (jpeg: Buffer): Promise<FaceCrop> => ({
      jpeg,
      likeness: (await facesOn(jpeg))[0]!.likeness,
    });

    it.each([
      ['Eileen Collins', collins],
      ['Grace Hopper', hopper],
    ])('finds the only face in %s at its place', async (_, { jpeg, face }) => {
      const [found, ...others] = await facesOn(jpeg);
      expect(others).toEqual([]);
      expect(overlapOf(found!.box, face)).toBeGreaterThan(0.5);
      expect(found!.confidence).toBeGreaterThan(0.8);
      expect(found!.confidence).toBeLessThanOrEqual(1);
    });

    it('finds two faces in one picture, the larger one first', async () => {
      const found = await facesOn(await sideBySide());
      expect(found.map(({ box }) => Math.round(box.x))).toEqual([1, 0]);
      expect(found[0]!.box.width).toBeGreaterThan(found[1]!.box.width);
    });

    it.each([
      ['a cat', cat],
      ['grass', grass],
    ])('finds no face in a picture of %s', async (_, jpeg) => {
      expect(await facesOn(jpeg)).toEqual([]);
    });

    it('recognizes a person in altered pictures, and tells two people apart', async () => {
      const pictures: Buffer[] = [collins.jpeg, hopper.jpeg];
      for (const alter of Object.values(altered))
        pictures.push(await alter(collins.jpeg), await alter(hopper.jpeg));
      const crops: FaceCrop[] = [];
      for (const jpeg of pictures) crops.push(await cropOf(jpeg));
      expect(await faces.tellApart(crops)).toEqual(crops.map((_, at) => at % 2));
      expect(await faces.tellApart(crops.toReversed())).toEqual(crops.map((_, at) => at % 2));
      expect(await faces.tellApart([])).toEqual([]);
    });

    it('throws the reason of the signal if it is aborted', async () => {
      const canceled = new Error('canceled');
      const signal = AbortSignal.abort(canceled);
      await expect(faces.find(await pictureOf(cat), signal)).rejects.toBe(canceled);
      await expect(faces.tellApart([{ jpeg: cat, likeness: null }], signal)).rejects.toBe(canceled);
    });
  });
}
