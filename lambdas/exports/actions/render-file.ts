/** Renders an exported file: the same bytes that the API returns. */
import { defined } from '../../../shared/checked-access.ts';
import { languageUnsupported, mediaLimitExceeded } from '../../../shared/job-errors.ts';
import { Problem } from '../../../shared/problems.ts';
import { shownOf } from '../../../shared/versions.ts';
import { AnalysisResults } from '../../analyses/records/analysis-results.ts';
import type { ClipServices } from '../../clips/actions/clip-step.ts';
import {
  factsOf,
  type LoadedTranscription,
  loadTranscription,
  soundDescriptionsFor,
  srtText,
  transcriptionServices,
  vttText,
  withMarks,
} from '../../transcripts/files/actions/load-transcription.ts';
import { makeStl, usualStl } from '../../transcripts/files/actions/make-stl.ts';
import type { ExportJob } from '../rules/export-job.ts';

type Services = Pick<ClipServices, 'table' | 'objects' | 'tenant'>;

/** Throws NotFound, or a JobError if the format cannot contain the text. */
export async function renderExport(job: ExportJob, services: Services): Promise<Uint8Array> {
  const { asset_id, transcription_id, version, metadata_id } = job;
  if (metadata_id !== undefined) {
    const results = new AnalysisResults(services.table, services.objects, services.tenant);
    const { head, details } = await results.metadata(asset_id, metadata_id);
    // Sorts the members, because DynamoDB returns members in any order and equal metadata must give equal files.
    return jsonFile({ ...inOrder(shownOf(head)), ...inOrder(details) });
  }
  const reading = transcriptionServices(services.table, services.objects, services.tenant);
  const transcription = await loadTranscription(
    { asset_id, transcription_id: defined(transcription_id) },
    reading,
    version,
  );
  return fileOf(job, transcription, reading);
}

async function fileOf(
  { format, own: { options = {} } }: ExportJob,
  transcription: LoadedTranscription,
  { sounds }: ReturnType<typeof transcriptionServices>,
): Promise<Uint8Array> {
  const descriptions = () =>
    soundDescriptionsFor(transcription, { sounds }, options.include_sound_descriptions);
  switch (format) {
    case 'vtt':
      return Buffer.from(vttText(transcription, await descriptions(), options.flavor ?? 'standard'));
    case 'srt':
      return Buffer.from(srtText(transcription));
    case 'stl': {
      const described = await descriptions();
      return asJobError(() => makeStl(transcription, described, { ...usualStl, ...options }).file);
    }
    default:
      return jsonFile({ ...factsOf(transcription), segments: withMarks(transcription) });
  }
}

const inOrder = (members: object) => Object.fromEntries(Object.entries(members).sort());

const jsonFile = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

function asJobError<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'language_unsupported') throw languageUnsupported(error.detail);
    if (error.code === 'answer_too_large') throw mediaLimitExceeded(error.detail);
    throw error;
  }
}
