/**
 * A small speech recognition model that a test makes itself: a NeMo CTC model (`EncDecCTCModel`) of about 2 kB that
 * recognizes tones. It returns "low", "mid" or "high" for the loudest third of the spectrum, and nothing for silence.
 * So the test knows the expected words and times from the samples.
 */
import { type Node, onnxModel } from './onnx.ts';

/** The last token is the blank, as in NeMo's models. */
export const tokens = ['▁low', '▁mid', '▁high', '<blk>'];
export const tokensFile = tokens.map((token, id) => `${token} ${id}\n`).join('');

/** One of eight frames of 10 ms is kept, as in Parakeet. */
const SUBSAMPLING = 8;
const MEL_BANDS = 80;
/** A band with a lower logarithm of energy is silent. A tone at a tenth of full scale has about 2. */
const SILENT = -4;

/** Returns the bytes of `model.onnx`: `audio_signal` [N, 80, T] and `length` [N] in, log probabilities [N, T/8, 4] out. */
export function toneModel(): Buffer {
  const thirds = [0, 1, 2].map((third) => ({
    name: `third${third}`,
    from: Math.floor((MEL_BANDS * third) / 3),
    to: Math.floor((MEL_BANDS * (third + 1)) / 3),
  }));
  const loudest = thirds.flatMap(({ name }): Node[] => [
    slice('thinned', `${name}_bands`, `${name}_from`, `${name}_to`, 'bands_axis', 'one'),
    { op: 'ReduceMax', inputs: [`${name}_bands`], outputs: [name], attributes: { axes: [2], keepdims: 1 } },
  ]);
  return onnxModel({
    inputs: [
      { name: 'audio_signal', type: 'float', shape: ['N', MEL_BANDS, 'T'] },
      { name: 'length', type: 'int64', shape: ['N'] },
    ],
    outputs: [{ name: 'logprobs', type: 'float', shape: ['N', 'frames', tokens.length] }],
    constants: [
      ...Object.entries({ zero: 0, one: 1, end: 1_000_000, bands_axis: 2, step: SUBSAMPLING }).map(integer),
      ...thirds.flatMap(({ name, from, to }) =>
        Object.entries({ [`${name}_from`]: from, [`${name}_to`]: to }).map(integer),
      ),
      { name: 'nothing', shape: [1], floats: [0] },
      { name: 'silent', shape: [1], floats: [SILENT] },
    ],
    nodes: [
      { op: 'Transpose', inputs: ['audio_signal'], outputs: ['frames'], attributes: { perm: [0, 2, 1] } },
      slice('frames', 'thinned', 'zero', 'end', 'one', 'step'),
      ...loudest,
      { op: 'Mul', inputs: ['third0', 'nothing'], outputs: ['zeros'] },
      { op: 'Add', inputs: ['zeros', 'silent'], outputs: ['blank'] },
      {
        op: 'Concat',
        inputs: [...thirds.map(({ name }) => name), 'blank'],
        outputs: ['scores'],
        attributes: { axis: 2 },
      },
      { op: 'LogSoftmax', inputs: ['scores'], outputs: ['logprobs'], attributes: { axis: 2 } },
    ],
    metadata: {
      model_type: 'EncDecCTCModel',
      vocab_size: String(tokens.length - 1),
      subsampling_factor: String(SUBSAMPLING),
      normalize_type: 'NA',
    },
  });
}

const slice = (
  from: string,
  to: string,
  starts: string,
  ends: string,
  axes: string,
  steps: string,
): Node => ({
  op: 'Slice',
  inputs: [from, starts, ends, axes, steps],
  outputs: [to],
});

const integer = ([name, value]: [string, number]) => ({ name, shape: [1], ints: [value] });

/** Samples of the given length, silent except for the tones: 16 kHz, mono, 16 bit little endian. */
export function tones(
  duration_ms: number,
  heard: readonly { hz: number; from_ms: number; to_ms: number }[],
): Uint8Array {
  const samples = new Int16Array(duration_ms * 16);
  for (const { hz, from_ms, to_ms } of heard)
    for (let i = from_ms * 16; i < to_ms * 16; i += 1)
      samples[i] = Math.round(10_000 * Math.sin((2 * Math.PI * hz * i) / 16_000));
  return new Uint8Array(samples.buffer);
}
