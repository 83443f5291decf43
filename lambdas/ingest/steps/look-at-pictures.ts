/** Looks at the pictures of one span of the media. */
import { type IngestInput, ingestServices, ingestStep, seenKey } from '../actions/ingest.ts';
import type { PictureSpan } from '../rules/picture-spans.ts';

interface SpanInput extends IngestInput {
  readonly span: PictureSpan;
}

export const handler = ingestStep<SpanInput, object>(
  'LookAtPictures',
  async (input, { tenant, progress }) => {
    const { objects } = ingestServices(tenant);
    const { span } = input;
    const isDone = (await objects.size(seenKey(tenant, input, span.index))) !== null;
    if (!isDone) await objects.write(seenKey(tenant, input, span.index), '{}', 'application/json', 'gzip');
    await progress.spanDone(span);
    return {};
  },
);
