/** Writes an asset with a long transcription to the tables and the object store. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { uuidv7 } from 'uuidv7';
import { Transcriptions } from '../../lambdas/transcripts/lineage/records/transcriptions.ts';
import { assetKey } from '../../platform/table/keys.ts';
import { TenantTable } from '../../platform/table/tenant-table.ts';
import { newAsset } from '../../shared/assets.ts';
import { type AssetId, asAssetId } from '../../shared/ids.ts';
import { languageByCode } from '../../shared/languages.ts';
import type { Segment } from '../../shared/segments.ts';
import type { TenantId } from '../../shared/tenant.ts';

export interface Seeded {
  readonly size: number;
  readonly asset_id: AssetId;
  readonly transcription_id: string;
  readonly segment_ids: readonly string[];
}

const SEGMENT_MS = 3600;
/** Time from the start of a segment to the end of its last word. */
const SPOKEN_MS = 3100;

const sentences = [
  'The ferry left the harbour nine minutes late this morning.',
  'The captain had not told the passengers why it was waiting there.',
  'Behind the lighthouse, a second boat lay in the fog.',
  'Would you have gone aboard if you had known that?',
  'My grandmother kept every ticket in a box of tin.',
  'She wrote the date on each, in very small letters.',
  'Now we know about the winter of 1963 from them.',
];

/** Call this after the environment is set, because the modules imported here read the environment. */
export async function seedTranscription(
  client: DynamoDBClient,
  tenant: TenantId,
  size: number,
): Promise<Seeded> {
  const { mediaObjects } = await import('../../platform/runtime/s3.ts');
  const table = new TenantTable(client, 'Core', tenant, () => {});
  const asset_id = asAssetId(uuidv7());
  const asset = newAsset(asset_id, new Date(), { filename: `talk-${size}.mp4`, mc_model: 'normal' });
  const ready = { status: 'ready', duration_ms: size * SEGMENT_MS, frame_rate: 25 } as const;
  await table.put({ ...asset, ...ready, ...assetKey(tenant, asset_id) });
  const segments = Array.from({ length: size }, (_, at) => segmentAt(at));
  const now = new Date().toISOString();
  const transcription_id = uuidv7();
  const head = {
    ...{ transcription_id, asset_id, language_id: languageByCode('en')!.language_id },
    ...{ source: 'transcribed' as const, version: 1, stale: false, segment_count: size },
    ...{ created_at: now, updated_at: now },
  };
  await new Transcriptions(table, mediaObjects(tenant), tenant).create(head, segments);
  return { size, asset_id, transcription_id, segment_ids: segments.map(({ segment_id }) => segment_id) };
}

function segmentAt(at: number): Segment {
  const start_ms = at * SEGMENT_MS;
  const text = sentences[at % sentences.length]!;
  const spoken = text.split(' ');
  const word_ms = Math.floor(SPOKEN_MS / spoken.length);
  return {
    ...{ segment_id: uuidv7(), original_segment_id: null, text, speaker: 'spk_0', speaker_id: null },
    ...{ start_ms, end_ms: start_ms + SPOKEN_MS, confidence: 0.9 },
    words: spoken.map((word, nth) => ({
      text: word,
      start_ms: start_ms + nth * word_ms,
      end_ms: start_ms + (nth + 1) * word_ms - 20,
      confidence: 0.9,
    })),
  };
}
