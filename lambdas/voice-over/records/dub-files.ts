/**
 * The files of voice overs in the media bucket. A job's plan, sound, fit report and video are stored under the job's
 * id. The speech of pieces is stored under the language, and named by a fingerprint of everything that the speech
 * depends on. Later jobs can therefore use it.
 */
import { readGzippedJson, writeGzippedJson } from '../../../platform/objects/gzipped-json.ts';
import { derivedKey, type MediaObjects } from '../../../platform/objects/media-objects.ts';
import type { AssetId, JobId, TenantId } from '../../../shared/ids.ts';
import { checked, number, parseJson, recordOf, text } from '../../../shared/parse.ts';
import type { DubPlan } from '../rules/dub-plan.ts';
import type { FitDocument } from '../rules/fit-report.ts';
import type { FitReport } from '../rules/speech-fit.ts';

export interface DubIds {
  readonly asset_id: AssetId;
  readonly job_id: JobId;
  readonly language_id: string;
}

export type DubJob = Pick<DubIds, 'asset_id' | 'job_id'>;

/** The key of a job's file for a language. Without a name, the prefix of all files for that language. */
export const dubKey = (
  tenant: TenantId,
  { asset_id, job_id, language_id }: DubIds,
  name: 'plan.json.gz' | 'voices.json.gz' | 'fit.json.gz' | 'sound.m4a' | 'video' | '',
): string =>
  derivedKey(tenant, asset_id, { step: 'voice_over', version: job_id, name: `${language_id}/${name}` });

const dubsPrefix = (tenant: TenantId, { asset_id, job_id }: DubJob): string =>
  derivedKey(tenant, asset_id, { step: 'voice_over', version: job_id, name: '' });

/** The key of a piece's speech, which jobs share. Without a name, the prefix of all speech in the language. */
const pieceKey = (
  tenant: TenantId,
  { asset_id, language_id }: Pick<DubIds, 'asset_id' | 'language_id'>,
  name: string,
): string => derivedKey(tenant, asset_id, { step: 'speech', version: language_id, name });

export interface KeptPiece {
  /** The job for which it was spoken. */
  readonly job_id: string;
  readonly fit: FitReport;
  /** Mono, 48 kHz. */
  readonly samples: Int16Array;
}

const clonedVoices = recordOf(text);
const dubPlan = checked<DubPlan>({ language: text, transcription_id: text, duration_ms: number });
const pieceFacts = checked<Omit<KeptPiece, 'samples'>>({ job_id: text });

export class DubFiles {
  readonly #objects: MediaObjects;
  readonly #tenant: TenantId;

  constructor(objects: MediaObjects, tenant: TenantId) {
    this.#objects = objects;
    this.#tenant = tenant;
  }

  async writePlan(ids: DubIds, plan: DubPlan): Promise<void> {
    await writeGzippedJson(dubKey(this.#tenant, ids, 'plan.json.gz'), this.#objects, plan);
  }

  async plan(ids: DubIds): Promise<DubPlan> {
    const plan = await readGzippedJson(dubKey(this.#tenant, ids, 'plan.json.gz'), this.#objects, dubPlan);
    if (plan === null) throw new Error('The plan of a voice over is missing');
    return plan;
  }

  async writeVoices(ids: DubIds, cloned: DubPlan['cloned']): Promise<void> {
    await writeGzippedJson(dubKey(this.#tenant, ids, 'voices.json.gz'), this.#objects, cloned);
  }

  /** The voices that were cloned for a language so far: the engine's id for each name that pieces use. */
  async voices(ids: DubIds): Promise<DubPlan['cloned']> {
    return (
      (await readGzippedJson(dubKey(this.#tenant, ids, 'voices.json.gz'), this.#objects, clonedVoices)) ?? {}
    );
  }

  /** The engine's ids of all voices that were cloned for a job. */
  async allVoices(job: DubJob): Promise<string[]> {
    const keys = await this.#objects.keys(dubsPrefix(this.#tenant, job));
    const cloned = keys
      .filter((key) => key.endsWith('/voices.json.gz'))
      .map((key) => readGzippedJson(key, this.#objects, clonedVoices));
    return (await Promise.all(cloned)).flatMap((one) => Object.values(one ?? {}));
  }

  async writeFit(ids: DubIds, fit: FitDocument): Promise<void> {
    await writeGzippedJson(dubKey(this.#tenant, ids, 'fit.json.gz'), this.#objects, fit);
  }

  fitAt(key: string): Promise<FitDocument | null> {
    return readGzippedJson(key, this.#objects, checked<FitDocument>({}));
  }

  async hasPiece(ids: DubIds, name: string): Promise<boolean> {
    return (await this.#objects.size(pieceKey(this.#tenant, ids, name))) !== null;
  }

  async piece(ids: DubIds, name: string): Promise<KeptPiece | null> {
    const bytes = await this.#objects.read(pieceKey(this.#tenant, ids, name));
    return bytes === null ? null : unpacked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  writePiece(ids: DubIds, name: string, piece: KeptPiece): Promise<void> {
    return this.#objects.write(pieceKey(this.#tenant, ids, name), packed(piece), 'application/octet-stream');
  }

  removeJob(job: DubJob): Promise<void> {
    return this.#objects.deleteAll(dubsPrefix(this.#tenant, job));
  }

  removeLanguage(ids: DubIds): Promise<void> {
    return this.#objects.deleteAll(dubKey(this.#tenant, ids, ''));
  }

  /** Removes the speech of a language, except these pieces. */
  removeOtherPieces(ids: Pick<DubIds, 'asset_id' | 'language_id'>, names: readonly string[]): Promise<void> {
    const kept = new Set(names.map((name) => pieceKey(this.#tenant, ids, name)));
    return this.#objects.deleteOthers(pieceKey(this.#tenant, ids, ''), kept);
  }
}

/** One line of JSON, followed by the samples in little endian. */
function packed({ samples, ...facts }: KeptPiece): Buffer {
  const line = Buffer.from(`${JSON.stringify(facts)}\n`);
  return Buffer.concat([line, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}

function unpacked(bytes: Buffer): KeptPiece {
  const end = bytes.indexOf('\n');
  const facts = parseJson(pieceFacts, bytes.subarray(0, end));
  // The samples are copied, because 16-bit samples need an even address.
  const samples = new Int16Array(Uint8Array.from(bytes.subarray(end + 1)).buffer);
  return { ...facts, samples };
}
