/** Implements ItemBatcher. Specification, "Batching Items". */
import { evaluateFieldIn, evaluateIn } from '../context.ts';
import { MAX_PAYLOAD_BYTES } from '../errors.ts';
import { TYPES } from '../jsonata.ts';
import type { ItemBatcher, Json } from '../language.ts';
import type { Step } from '../run.ts';

/** Returns the inputs of the children: `{ Items: […] }`, with BatchInput if the batcher has one. */
export async function intoBatches(step: Step, batcher: ItemBatcher, items: Json[]): Promise<Json[]> {
  const { MaxItemsPerBatch, MaxInputBytesPerBatch, BatchInput } = batcher;
  const most = await limit(step, MaxItemsPerBatch, 'ItemBatcher/MaxItemsPerBatch', Number.POSITIVE_INFINITY);
  const bytes = await limit(
    step,
    MaxInputBytesPerBatch,
    'ItemBatcher/MaxInputBytesPerBatch',
    MAX_PAYLOAD_BYTES,
  );
  const common =
    BatchInput === undefined
      ? {}
      : { BatchInput: await evaluateIn(step, BatchInput, 'ItemBatcher/BatchInput') };
  return cut(items, most, bytes - sizeOf({ ...common, Items: [] })).map((Items) => ({ ...common, Items }));
}

async function limit(
  step: Step,
  field: number | string | undefined,
  location: string,
  none: number,
): Promise<number> {
  return field === undefined ? none : evaluateFieldIn(step, TYPES.positive, field, location);
}

/** Starts a new batch before an item that would exceed the number or the size of a batch. Every batch has at least one item. */
function cut(items: Json[], most: number, bytes: number): Json[][] {
  const batches: Json[][] = [];
  let batch: Json[] = [];
  let size = 0;
  for (const item of items) {
    const itemSize = sizeOf(item) + 1;
    const isFull = batch.length >= most || size + itemSize > bytes;
    if (batch.length === 0 || isFull) {
      batch = [];
      batches.push(batch);
      size = 0;
    }
    batch.push(item);
    size += itemSize;
  }
  return batches;
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
