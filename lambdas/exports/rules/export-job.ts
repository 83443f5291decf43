/** Export jobs. Each exports one file. */

import { type ExportFormat, exportFormats } from '../../../contract/kit/storage-types.ts';
import type { StlFileOptions, VttOptions } from '../../../contract/kit/subtitle-options.ts';
import type { Edition, Resume } from '../../../engines/exporting/port.ts';
import { defined } from '../../../shared/checked-access.ts';
import type { AssetId, JobId } from '../../../shared/ids.ts';
import { queued, type StoredJob } from '../../../shared/jobs.ts';
import type { HeldClips } from '../../clips/rules/clips-job.ts';

export interface ExportOwn extends HeldClips {
  readonly overwrite: boolean;
  /** Options of a subtitle file. Absent for other files, and in jobs of earlier versions. */
  readonly options?: Partial<VttOptions & StlFileOptions>;
  /** The storage's destination when the export was requested. The file is written only there. */
  readonly type: string;
  readonly destination: Readonly<Record<string, string>>;
  /** Where a multipart upload continues; null before its first part. */
  readonly resume: Resume | null;
  /** The id of the clip's file. `beginClipExport` records it. */
  readonly clip_file?: string;
}

export type ExportJob = StoredJob<'export', ExportOwn>;

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

export const renderingFirst = (video_clip_id: string) => ({ video_clip_id, kind: 'export', render: 'first' });

/** Identifies what is exported, without its version. An export replaces an earlier file with the same value. */
export const exportSubject = ({
  asset_id,
  transcription_id,
  metadata_id,
  video_clip_id,
  format,
}: ExportJob) => [asset_id, transcription_id ?? metadata_id ?? video_clip_id, format].join('/');

export const editionOf = ({ version = 0, job_id }: ExportJob): Edition => ({ version, job_id });

export const contentTypeOf = ({ format }: ExportJob): string => exportFormats[defined(format)].content_type;
