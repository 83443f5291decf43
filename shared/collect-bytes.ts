/** Reads a whole stream into memory. `tooMany` returns the error to throw after more than `limit` bytes. */
export async function collectBytes(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
  tooMany: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > limit) throw tooMany();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
