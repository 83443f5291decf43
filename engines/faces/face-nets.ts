/** The networks of @vladmandic/face-api, on TensorFlow.js in WebAssembly, loaded once in a process. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { Box } from '../../shared/boxes.ts';
import type { Pixels } from '../local-packages.ts';

/** A box in pixels of a network's input. */
export type PixelBox = Box;

export interface Detection {
  readonly score: number;
  readonly box: PixelBox;
}

export interface FaceNets {
  /** Finds faces with SSD on MobileNet v1, whose input is 512 × 512 pixels. Pixels are RGB. */
  detect(pixels: Pixels, minScore: number): Promise<Detection[]>;
  /** Finds faces on a crop with a smaller network, whose input is 160 × 160 pixels. */
  detectAgain(crop: Pixels, minScore: number): Promise<Detection[]>;
  /**
   * Returns the face embedding, 128 numbers: the mean of the embeddings of the upright face and of its mirror image. The mean makes
   * views from the left and from the right similar. @param box the face in the crop
   */
  embed(crop: Pixels, box: PixelBox): Promise<number[]>;
}

let loaded: Promise<FaceNets> | undefined;

/** Loads the networks at the first call. Throws if a package is missing or does not run on this machine. */
export const faceNets = (): Promise<FaceNets> => (loaded ??= load());

async function load(): Promise<FaceNets> {
  const packages = createRequire(import.meta.url);
  const tf = packages('@tensorflow/tfjs-core') as TensorFlow;
  const wasm = packages('@tensorflow/tfjs-backend-wasm') as Wasm;
  const folder = (name: string) => dirname(packages.resolve(`${name}/package.json`));
  addMethods(tf);
  wasm.setWasmPaths(`${join(folder('@tensorflow/tfjs-backend-wasm'), 'dist')}/`);
  await tf.setBackend('wasm');
  await tf.ready();
  const home = folder('@vladmandic/face-api');
  const faceApi = runModule(join(home, 'dist', 'face-api.node-wasm.js'), (name) =>
    name === '@tensorflow/tfjs' ? tf : packages(name),
  ) as FaceApi;
  const { ssdMobilenetv1, tinyFaceDetector, faceLandmark68Net, faceRecognitionNet } = faceApi.nets;
  for (const net of [ssdMobilenetv1, tinyFaceDetector, faceLandmark68Net, faceRecognitionNet])
    await net.loadFromDisk(join(home, 'model'));
  return netsOf(tf, faceApi);
}

function netsOf(tf: TensorFlow, faceApi: FaceApi): FaceNets {
  const withPixels = async <Found>(
    { data, width, height }: Pixels,
    look: (tensor: Tensor) => Promise<Found>,
  ) => {
    const tensor = tf.tensor3d(data, [height, width, 3], 'int32');
    try {
      return await look(tensor);
    } finally {
      tensor.dispose();
    }
  };
  const detect = (pixels: Pixels, options: object) =>
    withPixels(pixels, async (tensor) => toPlain(await faceApi.detectAllFaces(tensor, options)));
  return {
    detect: (pixels, minConfidence) =>
      detect(pixels, new faceApi.SsdMobilenetv1Options({ minConfidence, maxResults: MAX_FACES })),
    detectAgain: (crop, scoreThreshold) =>
      detect(crop, new faceApi.TinyFaceDetectorOptions({ inputSize: SECOND_INPUT_SIZE, scoreThreshold })),
    embed: (crop, box) =>
      withPixels(crop, async (tensor) => {
        const [face] = await faceApi.extractFaceTensors(tensor, [
          new faceApi.Rect(box.x, box.y, box.width, box.height),
        ]);
        const landmarks = await faceApi.detectFaceLandmarks(face!);
        const upright = landmarks.shiftBy(Math.max(0, box.x), Math.max(0, box.y)).align();
        const [aligned] = await faceApi.extractFaceTensors(tensor, [upright]);
        const mirrored = tf.reverse(aligned!, 1);
        const embedding = await faceApi.computeFaceDescriptor(aligned!);
        const other = await faceApi.computeFaceDescriptor(mirrored);
        for (const tensor of [face!, aligned!, mirrored]) tensor.dispose();
        return [...embedding].map((value, at) => (value + other[at]!) / 2);
      }),
  };
}

/** Removes the accessors and relative boxes that face-api adds to its results. */
const toPlain = (found: readonly Detection[]): Detection[] =>
  found.map(({ score, box: { x, y, width, height } }) => ({ score, box: { x, y, width, height } }));

const MAX_FACES = 50;
/** The input size of the second network, pixels. It must be a multiple of 32. */
const SECOND_INPUT_SIZE = 160;

/** Runs a CommonJS file with our own `require`. The file requires all of TensorFlow.js, but needs only its core (docs/decisions/0048). */
function runModule(path: string, require: (name: string) => unknown): unknown {
  const module = { exports: {} };
  const run = compileFunction(readFileSync(path, 'utf8'), ['module', 'exports', 'require'], {
    filename: path,
  });
  run(module, module.exports, require);
  return module.exports;
}

/** Adds methods such as `x.div(y)`, which face-api calls. Only the full package of TensorFlow.js has them. */
function addMethods(tf: TensorFlow): void {
  const prototype = tf.Tensor.prototype as Record<string, unknown>;
  for (const name of operations) {
    prototype[name] ??= function (this: Tensor, ...others: unknown[]) {
      return (tf[name] as Operation)(this, ...others);
    };
  }
  const reshape = function (this: Tensor, ...shape: number[]) {
    return (tf.reshape as Operation)(this, shape);
  };
  for (const name of ['as2D', 'as3D', 'as4D']) prototype[name] ??= reshape;
  prototype.as1D ??= function (this: Tensor) {
    return (tf.reshape as Operation)(this, [-1]);
  };
  prototype.toFloat ??= function (this: Tensor) {
    return (tf.cast as Operation)(this, 'float32');
  };
}

const operations = (
  'slice floor max add div mul sub pad expandDims matMul softmax relu sigmoid transpose mean min sqrt exp reshape tile ' +
  'clipByValue batchNorm cast reverse squeeze'
).split(' ');

type Operation = (...given: unknown[]) => Tensor;
interface Tensor {
  dispose(): void;
}
type TensorFlow = Record<string, unknown> & {
  Tensor: { prototype: object };
  reverse(tensor: Tensor, axis: number): Tensor;
  tensor3d(data: Uint8Array, shape: number[], type: 'int32'): Tensor;
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
};
interface Wasm {
  setWasmPaths(folder: string): void;
}
interface Net {
  loadFromDisk(folder: string): Promise<void>;
}
interface Landmarks {
  shiftBy(x: number, y: number): Landmarks;
  align(): object;
}
interface FaceApi {
  readonly nets: Readonly<
    Record<'ssdMobilenetv1' | 'tinyFaceDetector' | 'faceLandmark68Net' | 'faceRecognitionNet', Net>
  >;
  readonly SsdMobilenetv1Options: new (options: { minConfidence: number; maxResults: number }) => object;
  readonly TinyFaceDetectorOptions: new (options: { inputSize: number; scoreThreshold: number }) => object;
  readonly Rect: new (x: number, y: number, width: number, height: number) => object;
  detectAllFaces(picture: Tensor, options: object): Promise<Detection[]>;
  extractFaceTensors(picture: Tensor, boxes: readonly object[]): Promise<Tensor[]>;
  detectFaceLandmarks(face: Tensor): Promise<Landmarks>;
  computeFaceDescriptor(face: Tensor): Promise<Float32Array>;
}
