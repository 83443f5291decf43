/** The conformance suite for engines that read text in pictures. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { EngineDeclaration } from '../../../engines/engine.ts';
import type { Ocr } from '../../../engines/ocr/port.ts';
import { cat, coffee, collins, grass, pictureOf } from '../../fixtures/photographs.ts';
import { drawn, scenes, textsOf } from './title-pictures.ts';

export function describeConformance(declared: EngineDeclaration, setUp: () => Promise<Ocr>): void {
  describe(`${declared.name} as an engine that reads pictures`, () => {
    let ocr: Ocr;
    beforeAll(async () => {
      ocr = await setUp();
    });

    it.each(Object.entries(scenes))('reads %s from top to bottom', async (_, scene) => {
      const found = await ocr.read(await drawn(scene), ['es', 'en']);
      expect(found.map(({ text }) => text)).toEqual(textsOf(scene));
      for (const { confidence } of found) {
        expect(confidence).toBeGreaterThan(0.8);
        expect(confidence).toBeLessThanOrEqual(1);
      }
    });

    it('returns the position of a line', async () => {
      const [line] = await ocr.read(await drawn(scenes['a card in colours']!), ['en']);
      const { x, y, width, height } = line!.box;
      // The box extends from the left end of the baseline at (200, 360) up to the height of the capitals.
      expect(x).toBeCloseTo(200 / 1280, 1);
      expect(y + height).toBeCloseTo(360 / 720, 1);
      expect(height).toBeCloseTo(56 / 720, 1);
      expect(width).toBeGreaterThan(0.4);
    });

    it.each([
      ['a cat', cat],
      ['a cup', coffee],
      ['grass', grass],
      ['a woman with a name plate that is too small to read', collins.jpeg],
    ])('reads nothing in a picture of %s', async (_, jpeg) => {
      expect(await ocr.read(await pictureOf(jpeg), ['en'])).toEqual([]);
    });

    it('ignores languages that it does not know', async () => {
      const [first] = await ocr.read(await drawn(scenes['a card, white on black']!), ['tlh']);
      expect(first!.text).toBe('The Quiet River');
    });

    it('throws the reason of the signal if it is aborted', async () => {
      const canceled = new Error('canceled');
      const picture = await pictureOf(cat);
      await expect(ocr.read(picture, ['en'], AbortSignal.abort(canceled))).rejects.toBe(canceled);
    });
  });
}
