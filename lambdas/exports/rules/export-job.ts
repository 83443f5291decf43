/** Jobs that export one file each. */
import { type ExportFormat, exportFormats } from '../../../contract/kit/storage-types.ts';
import type { Edition, Resume } from '../../../engines/exporting/port.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { queued, type StoredJob } from '../../../shared/jobs.ts';
import type { HeldClips } from '../../clips/rules/clips-job.ts';

export interface ExportOwn extends HeldClips {
  readonly overwrite: boolean;
  /** The storage's at the moment of the request: a file that was asked for goes nowhere else. */
  readonly type: string;
  readonly destination: Readonly<Record<string, string>>;
  /** How far a write in parts is. */
  readonly resume: Resume | null;
  /** Names the file of a clip, once it is known which. */
  readonly clip_file?: string;
}

export type ExportJob = StoredJob<'export', ExportOwn>;

/** What is exported, and in which form. */
export type ExportSubject = { readonly format: ExportFormat } & (
  | { readonly transcription_id: string; readonly version: number }
  | { readonly metadata_id: string }
  | { readonly video_clip_id: string }
);

export const newExportJob = (
  jobId: JobId,
  assetId: AssetId,
  subject: ExportSubject & { readonly external_storage_id: string; readonly path: string },
  own: Omit<ExportOwn, 'resume'>,
  now: Date,
  more: Readonly<Record<string, string>> = {},
): ExportJob => ({
  ...queued(jobId, now),
  type: 'export',
  asset_id: assetId,
  ...subject,
  machine: 'Export',
  input: { asset_id: assetId, ...more },
  own: { ...own, resume: null },
});

/** What an execution is started with that renders the clip first. */
export const renderingFirst = (video_clip_id: string) => ({ video_clip_id, kind: 'export', render: 'first' });

/** What the file is made of, whatever its version: an export of the same takes the place of an earlier one. */
export const exportSubject = ({
  asset_id,
  transcription_id,
  metadata_id,
  video_clip_id,
  format,
}: ExportJob) => [asset_id, transcription_id ?? metadata_id ?? video_clip_id, format].join('/');

export const editionOf = ({ version = 0, job_id }: ExportJob): Edition => ({ version, job_id });

export const contentTypeOf = ({ format }: ExportJob): string => exportFormats[format!].content_type;
