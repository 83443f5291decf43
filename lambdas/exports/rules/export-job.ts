/** Export jobs. Each exports one file. */
import { type ExportFormat, exportFormats } from '../../../contract/kit/storage-types.ts';
import type { Edition, Resume } from '../../../engines/exporting/port.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { queued, type StoredJob } from '../../../shared/jobs.ts';
import type { HeldClips } from '../../clips/rules/clips-job.ts';

export interface ExportOwn extends HeldClips {
  readonly overwrite: boolean;
  /** Destination of the storage at the request. The file is written nowhere else. */
  readonly type: string;
  readonly destination: Readonly<Record<string, string>>;
  /** Progress of a multipart write. */
  readonly resume: Resume | null;
  /** The file of the clip, once it is fixed. */
  readonly clip_file?: string;
}

export type ExportJob = StoredJob<'export', ExportOwn>;

/** The exported thing and its format. */
export type ExportSubject = { readonly format: ExportFormat } & (
  | { readonly transcription_id: string; readonly version: number }
  | { readonly metadata_id: string }
  | { readonly video_clip_id: string }
);

interface NewExportJob {
  readonly jobId: JobId;
  readonly assetId: AssetId;
  readonly subject: ExportSubject & { readonly external_storage_id: string; readonly path: string };
  readonly own: Omit<ExportOwn, 'resume'>;
  /** Input of the execution, in addition to the ids. */
  readonly input: Readonly<Record<string, string>>;
  readonly now: Date;
}

export const newExportJob = ({ jobId, assetId, subject, own, input, now }: NewExportJob): ExportJob => ({
  ...queued(jobId, now),
  type: 'export',
  asset_id: assetId,
  ...subject,
  machine: 'Export',
  input: { asset_id: assetId, ...input },
  own: { ...own, resume: null },
});

/** Input of an execution that renders the clip first. */
export const renderingFirst = (video_clip_id: string) => ({ video_clip_id, kind: 'export', render: 'first' });

/** Identifies the exported thing, without its version: a new export replaces an earlier one. */
export const exportSubject = ({
  asset_id,
  transcription_id,
  metadata_id,
  video_clip_id,
  format,
}: ExportJob) => [asset_id, transcription_id ?? metadata_id ?? video_clip_id, format].join('/');

export const editionOf = ({ version = 0, job_id }: ExportJob): Edition => ({ version, job_id });

export const contentTypeOf = ({ format }: ExportJob): string => exportFormats[format!].content_type;
