import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { localFaces } from '../../../engines/faces/face-api.ts';
import { cropFace } from '../../../media/pictures/crop-face.ts';
import { collins, hopper, pictureOf } from '../../fixtures/photographs.ts';

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };

describe('the picture of a face', () => {
  it('is a square around the face, also at the edge of the picture', async () => {
    for (const { jpeg, face } of [collins, hopper]) {
      const crop = await cropFace(tools, await pictureOf(jpeg), face);
      expect(await sharp(crop).metadata()).toMatchObject({ format: 'jpeg', width: 240, height: 240 });
    }
    const corner = { x: 0.9, y: 0.9, width: 0.1, height: 0.1 };
    const crop = await cropFace(tools, await pictureOf(collins.jpeg), corner);
    expect(await sharp(crop).metadata()).toMatchObject({ width: 240, height: 240 });
  });

  it('shows the face in the middle', async () => {
    const crop = await cropFace(tools, await pictureOf(collins.jpeg), collins.face);
    const [found] = await localFaces().find(await pictureOf(crop));
    const { x, y, width, height } = found!.box;
    expect(x + width / 2).toBeCloseTo(0.5, 1);
    expect(y + height / 2).toBeCloseTo(0.5, 0);
    expect(width).toBeGreaterThan(0.3);
  });
});
