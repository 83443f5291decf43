/** Objects that the steps of an ingest write for later steps. */
import type { Piece, Transcript } from '../../../engines/transcription/port.ts';
import type { AssetJobInput } from '../../../platform/kernel/job-step.ts';
import { derivedKey, speechKey } from '../../../platform/objects/media-objects.ts';
import type { TenantId } from '../../../shared/ids.ts';
import type { SoundMap } from '../../../shared/sound.ts';
import type { IngestServices } from './ingest-step.ts';

/** The speech that PrepareAudio extracted. Its sound map is stored at `soundKey`. */
export interface Audio {
  readonly key: string;
  readonly duration_ms: number;
}

export interface PreparedAudio {
  readonly audio: Audio;
  readonly pieces: readonly Piece[];
}

/** The words of a piece: TranscribePiece writes them, MergeTranscription reads them. */
export interface HeardPiece extends Transcript {
  readonly tells_speech_apart: boolean;
}

export const audioKey = (tenant: TenantId, { asset_id, job_id }: AssetJobInput) =>
  speechKey(tenant, asset_id, job_id);

/** Key of the sound map. With hours of speech, the map exceeds the payload limit of a state machine. */
export const soundKey = (tenant: TenantId, { asset_id, job_id }: AssetJobInput) =>
  derivedKey(tenant, asset_id, { step: 'audio', version: job_id, name: 'sound.json' });

export async function soundOf(
  input: AssetJobInput,
  { objects, tenant }: Pick<IngestServices, 'objects' | 'tenant'>,
): Promise<SoundMap> {
  const bytes = await objects.read(soundKey(tenant, input));
  if (bytes === null) throw new Error('The sound map of the audio is missing');
  const map = JSON.parse(Buffer.from(bytes).toString('utf8')) as Omit<SoundMap, 'pauses'> & Partial<SoundMap>;
  // Maps that an earlier version wrote have no pauses.
  return { ...map, pauses: map.pauses ?? [] };
}

export const pieceKey = (tenant: TenantId, { asset_id, job_id }: AssetJobInput, piece: number) =>
  derivedKey(tenant, asset_id, { step: 'audio', version: job_id, name: `piece-${piece}.wav` });

export const wordsKey = (tenant: TenantId, { asset_id, job_id }: AssetJobInput, piece: number) =>
  derivedKey(tenant, asset_id, { step: 'words', version: job_id, name: `${piece}.json` });

/** The prefixes of all objects that only this job wrote. */
export const jobPrefixes = (tenant: TenantId, { asset_id, job_id }: AssetJobInput) =>
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
  ].map((stage) => derivedKey(tenant, asset_id, { step: stage, version: job_id, name: '' }));
