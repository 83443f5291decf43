/** Analyzes the pictures of one span of the media, and stores the findings. A repeat changes nothing. */
import { faces, ocr, shots } from '../../../engines/registry.ts';
import { withOpenMedia } from '../../../media/ffmpeg/serve-ranges.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { workInBackground } from '../../../platform/runtime/background.ts';
import { doneBy, engineFor } from '../../../platform/runtime/engines.ts';
import { mediaTools } from '../../../platform/runtime/media-tools.ts';
import { defineStep, sampleJob, sampleSpan } from '../../../platform/steps/define-step.ts';
import { languageById } from '../../../shared/languages.ts';
import { requireSource } from '../../assets/records/source-media.ts';
import { analyzeSpan } from '../actions/analyze-span.ts';
import { ingestStep } from '../actions/ingest-step.ts';
import { spanFiles } from '../actions/span-files.ts';
import type { PictureSpan } from '../rules/picture-spans.ts';

interface SpanInput extends AssetJobInput {
  readonly span: PictureSpan;
}

/** Progress of a span before its findings are stored. */
const ALMOST = 0.98;

export const settings = defineStep<SpanInput>({
  name: 'LookAtPictures',
  description: 'Decodes one span of the video, and analyzes its pictures',
  memory: 3008,
  timeout: 900,
  ffmpeg: true,
  permissions: {
    tables: { Core: ['check', 'get', 'put', 'query', 'update'] },
    media: ['Read', 'Write'],
    engines: { shots: ['boundaries'], faces: ['find'], ocr: ['read'] },
  },
  event: { ...sampleJob, span: sampleSpan },
});

export const handler = ingestStep<SpanInput, object>(
  settings,
  async (input, { tenant, assets, objects, usage, progress, signal, leftMs, job }) => {
    workInBackground();
    const { span } = input;
    const files = spanFiles(input, { tenant, objects });
    if (!(await files.exists(span.index))) {
      const { width, height, analyses, language_id } = await assets.get(input.asset_id);
      const isWanted = (kind: 'faces' | 'ocr') => analyses[kind]?.status === 'running';
      const source = await requireSource(input, { tenant, objects });
      const { seen, jpegs, asked } = await withOpenMedia(
        source,
        async (media) =>
          analyzeSpan({
            tools: mediaTools,
            media,
            shots: engineFor('shots', shots, {}),
            faces: isWanted('faces') ? async () => engineFor('faces', faces, {}) : null,
            ocr: isWanted('ocr') ? async () => engineFor('ocr', ocr, {}) : null,
            languages: languagesOf(language_id),
            span,
            width: width ?? 0,
            height: height ?? 0,
            timeout_ms: leftMs(),
            signal,
            reached: (fraction) => progress.span(span, ALMOST * Math.max(0, Math.min(1, fraction))),
          }),
        signal,
      );
      // Meter before storing, because a retry skips a stored span and would not meter it.
      for (const capability of ['faces', 'ocr'] as const) {
        const quantity = asked[capability];
        const by = doneBy(capability);
        const use_id = `${input.job_id}#${capability}#${span.index}`;
        const used = { meter: 'analyzed_pictures', quantity, at: job.created_at } as const;
        if (quantity > 0) await usage.record({ ...used, use_id, job_id: input.job_id, by });
      }
      await files.write(span.index, seen, jpegs);
    }
    await progress.spanDone(span);
    return {};
  },
);

/** The languages for OCR, most likely first: the spoken one, then the most frequent ones. */
function languagesOf(language_id: string | null): string[] {
  const spoken = language_id === null ? [] : [languageById(language_id)?.code ?? []].flat();
  return [...new Set([...spoken, 'en', 'es'])];
}
