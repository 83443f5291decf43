/** What the steps of the ingest machine share that work on media. */

import type { Piece, Transcript } from '../../../engines/transcription/port.ts';
import { derivedKey, speechKey } from '../../../platform/objects/media-objects.ts';
import { coreTable } from '../../../platform/runtime/dynamodb.ts';
import { mediaObjects } from '../../../platform/runtime/s3.ts';
import type { SoundMap } from '../../../shared/sound.ts';
import type { TenantId } from '../../../shared/tenant.ts';
import { Transcriptions } from '../../transcripts/lineage/records/transcriptions.ts';
import { ingestRecords } from './ingest-records.ts';
import type { IngestInput } from './ingest-step.ts';

export { type IngestInput, ingestStep } from './ingest-step.ts';
export { beginBranches, report, sizeOf } from './report-progress.ts';

/** The speech that PrepareAudio took out of the media; what is heard in it lies beside it, see `soundKey`. */
export interface Audio {
  readonly key: string;
  readonly duration_ms: number;
}

/** What PrepareAudio hands on. */
export interface PreparedAudio {
  readonly audio: Audio;
  readonly pieces: readonly Piece[];
}

/** What TranscribePiece writes for MergeTranscription. */
export interface HeardPiece extends Transcript {
  readonly tells_speech_apart: boolean;
}

export const ingestServices = (tenant: TenantId, table = coreTable(tenant)) => {
  const objects = mediaObjects(tenant);
  const transcriptions = new Transcriptions(table, objects, tenant);
  return { ...ingestRecords(tenant, table), objects, transcriptions };
};

export type IngestServices = ReturnType<typeof ingestServices>;

export const audioKey = (tenant: TenantId, { asset_id, job_id }: IngestInput) =>
  speechKey(tenant, asset_id, job_id);

/** Of hours of speech it is longer than what a state machine may hand on. */
export const soundKey = (tenant: TenantId, { asset_id, job_id }: IngestInput) =>
  derivedKey(tenant, asset_id, 'audio', job_id, 'sound.json');

export async function soundOf(
  input: IngestInput,
  { objects, tenant }: Pick<IngestServices, 'objects' | 'tenant'>,
): Promise<SoundMap> {
  const bytes = await objects.read(soundKey(tenant, input));
  if (bytes === null) throw new Error('What is heard in the audio is missing');
  const map = JSON.parse(Buffer.from(bytes).toString('utf8')) as Omit<SoundMap, 'pauses'> & Partial<SoundMap>;
  // That of a job which an earlier version began has no pauses.
  return { ...map, pauses: map.pauses ?? [] };
}

export const pieceKey = (tenant: TenantId, { asset_id, job_id }: IngestInput, piece: number) =>
  derivedKey(tenant, asset_id, 'audio', job_id, `piece-${piece}.wav`);

export const wordsKey = (tenant: TenantId, { asset_id, job_id }: IngestInput, piece: number) =>
  derivedKey(tenant, asset_id, 'words', job_id, `${piece}.json`);

/** The prefixes under which lies all that only this job made. */
export const jobPrefixes = (tenant: TenantId, { asset_id, job_id }: IngestInput) =>
  [
    'audio',
    'words',
    'waveform',
    'seen',
    'storyboard',
    'camera_shoots',
    'faces',
    'texts',
    'autocenter',
    'posters',
    'translating',
    'voice_over',
  ].map((stage) => derivedKey(tenant, asset_id, stage, job_id, ''));
