/** Boxes in a picture, in fractions of its displayed size: 0 is left and top, 1 is right and bottom. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

export const areaOf = ({ width, height }: Box): number => width * height;

/** Intersection over union: 0 if the boxes do not overlap, 1 if they are the same. */
export function overlapOf(one: Box, other: Box): number {
  const width = Math.min(rightOf(one), rightOf(other)) - Math.max(one.x, other.x);
  const height = Math.min(bottomOf(one), bottomOf(other)) - Math.max(one.y, other.y);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (areaOf(one) + areaOf(other) - shared);
}

/** The part of a box within the picture. Four decimals are exact to a tenth of a pixel in analyzed pictures. */
export function withinPicture({ x, y, width, height }: Box): Box {
  const left = clamped(x);
  const top = clamped(y);
  return {
    x: rounded(left),
    y: rounded(top),
    width: rounded(clamped(x + width) - left),
    height: rounded(clamped(y + height) - top),
  };
}

/** Returns the box whose edges are the means of the edges. @param boxes at least one */
export function meanBox(boxes: readonly Box[]): Box {
  const mean = (edge: keyof Box) => boxes.reduce((sum, box) => sum + box[edge], 0) / boxes.length;
  return withinPicture({ x: mean('x'), y: mean('y'), width: mean('width'), height: mean('height') });
}

const rightOf = ({ x, width }: Box) => x + width;
const bottomOf = ({ y, height }: Box) => y + height;
const clamped = (value: number) => Math.min(1, Math.max(0, value));
const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
