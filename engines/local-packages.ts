/** Loads the npm packages of local engines when they are needed. The bundles of Lambdas do not contain these packages. */
import { createRequire } from 'node:module';
import type sharp from 'sharp';
import type { Sharp as SharpImage } from 'sharp';
import type { Size } from '../shared/boxes.ts';
import { engineUnavailable, internalError } from '../shared/job-errors.ts';

export type Sharp = typeof sharp;

/** @typeParam Package the members of the npm package that the engine uses */
export function loadPackage<Package>(name: string): Package {
  try {
    return createRequire(import.meta.url)(name);
  } catch (cause) {
    throw engineUnavailable(
      `The package ${name} is missing or does not run here. Run \`npm install\`.`,
      cause,
    );
  }
}

/** Pixels row by row, one byte for each channel. */
export interface Pixels extends Size {
  readonly data: Uint8Array;
}

export async function decodePixels(image: SharpImage): Promise<Pixels> {
  try {
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (cause) {
    throw internalError('A picture of the video could not be decoded.', cause);
  }
}

/** Returns a function that runs `work` on one picture after the other. Parallel work would need more memory, without being faster. */
export function oneByOne<Given extends readonly unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  let previous: Promise<unknown> = Promise.resolve();
  return (...given) => {
    const result = previous.then(() => work(...given));
    previous = result.catch(() => {});
    return result;
  };
}
