/** The kinds of jobs, as plain data without schemas. */

export interface JobKindFacts {
  /** Beginning of a sentence about the kind: `Processes an upload`. */
  readonly about: string;
  /** Path of a job of this kind. Its placeholders are members of the job. */
  readonly path: string;
}

/** The maximum number of languages of one job. */
export const MOST_LANGUAGES = 20;
/** The maximum number of clips of one job. */
export const MOST_CLIPS = 50;

export const jobKinds = {
  ingest: {
    about: 'Processes an upload',
    path: '/v1/assets/{asset_id}/ingest_jobs/{job_id}',
  },
  translation: {
    about: 'Translates the transcription of an asset',
    path: '/v1/assets/{asset_id}/translation_jobs/{job_id}',
  },
  voice_over: {
    about: 'Speaks translations of an asset',
    path: '/v1/assets/{asset_id}/process_voice_over_jobs/{job_id}',
  },
  partial_retranslation: {
    about: 'Translates some segments again',
    path: '/v1/assets/{asset_id}/partial_retranslation_jobs/{job_id}',
  },
  clips: {
    about: 'Renders clips for download',
    path: '/v1/assets/{asset_id}/video_clips/download_async/{job_id}',
  },
  export: {
    about: 'Writes to an external storage',
    path: '/v1/jobs/{job_id}',
  },
  branding_upload: {
    about: 'Checks the file of a branding overlay or clip',
    path: '/v1/jobs/{job_id}',
  },
  publish: {
    about: 'Publishes a clip on a platform',
    path: '/v1/publish/{job_id}',
  },
} as const satisfies Record<string, JobKindFacts>;

export type JobType = keyof typeof jobKinds;

export const jobTypes = Object.keys(jobKinds) as JobType[];

/** Kinds of items of an ingest job: the results that the request or the template selects. */
export const ingestItemKinds = ['transcription', 'ocr', 'word_lists', 'translation', 'voice_over'] as const;

/** State machines that run jobs. Functions that start jobs of any kind use all of them, and so does the sweep. */
export const jobMachines = [
  'BrandingUpload',
  'Clips',
  'Export',
  'Ingest',
  'Translation',
  'VoiceOver',
] as const;

/** The names of all state machines: the names of their files in `state-machines/`, written in PascalCase. */
export type MachineName = (typeof jobMachines)[number] | 'DeleteAsset' | 'DeliverEvent' | 'EmptyCollection';
