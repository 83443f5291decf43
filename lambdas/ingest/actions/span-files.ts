/** Findings of a span, stored until all spans are merged: a JSON document, and one object with all JPEGs. */
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { readGzippedJson, writeGzippedJson } from '../../../platform/objects/gzipped-json.ts';
import { derivedKey, type MediaObjects } from '../../../platform/objects/media-objects.ts';
import type { TenantId } from '../../../shared/ids.ts';
import { checked, list, number } from '../../../shared/parse.ts';
import type { AnalyzedPicture, SeenBoundary, SpanFindings, StoredBytes } from '../rules/span-findings.ts';

const spanFindings = checked<SpanFindings>({
  frames: number,
  boundaries: list(checked<SeenBoundary>({ frame: number, at_ms: number })),
  motion: list(checked<SpanFindings['motion'][number]>({})),
  pictures: list(checked<AnalyzedPicture>({ at_ms: number, width: number, height: number })),
});

/** The files of a job's spans. Their keys contain the index of the span. */
export function spanFiles(
  { asset_id, job_id }: AssetJobInput,
  { tenant, objects }: { readonly tenant: TenantId; readonly objects: MediaObjects },
) {
  const keyOf = (span: number, name: 'jpegs' | 'json.gz') =>
    derivedKey(tenant, asset_id, { step: 'seen', version: job_id, name: `${span}.${name}` });
  return {
    /** Writes the JPEGs before the document. If the document exists, its JPEGs exist too. */
    async write(span: number, findings: SpanFindings, jpegs: readonly Buffer[]): Promise<void> {
      await objects.write(keyOf(span, 'jpegs'), Buffer.concat(jpegs), 'application/octet-stream');
      await writeGzippedJson(keyOf(span, 'json.gz'), objects, findings);
    },

    exists: async (span: number): Promise<boolean> => (await objects.size(keyOf(span, 'json.gz'))) !== null,

    async read(span: number): Promise<SpanFindings> {
      const findings = await readGzippedJson(keyOf(span, 'json.gz'), objects, spanFindings);
      if (findings === null) throw new Error(`The findings of span ${span} are missing`);
      return findings;
    },

    async jpeg(span: number, { from, to }: StoredBytes): Promise<Buffer> {
      return Buffer.from(await objects.readRange(keyOf(span, 'jpegs'), from, to - 1));
    },
  };
}
