/** Converts samples for recognizers that run in this process. */

/** Converts 16-bit little endian samples to numbers from -1 to 1. */
export function floatSamples(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Float32Array.from(
    { length: Math.floor(pcm.byteLength / 2) },
    (_, i) => view.getInt16(2 * i, true) / 32768,
  );
}
