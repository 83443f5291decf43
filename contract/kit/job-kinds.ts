/** The kinds of jobs, as plain data without schemas. */
export interface JobKindFacts {
  /** Beginning of a sentence about the kind: `Processes an upload`. */
  readonly about: string;
  readonly path: string;
  /** The state machine that runs jobs of this kind. Absent while the kind is planned. */
  readonly machine?: string;
  /** True if the usage is metered. `GET …/quote` then estimates the usage. */
  readonly hasQuote?: true;
}

export const MOST_LANGUAGES = 20;
export const MOST_CLIPS = 50;

export const jobKinds = {
  ingest: {
    about: 'Processes an upload',
    path: '/v1/assets/{asset_id}/ingest_jobs/{job_id}',
    machine: 'Ingest',
    hasQuote: true,
  },
  translation: {
    about: 'Translates the transcription of an asset',
    path: '/v1/assets/{asset_id}/translation_jobs/{job_id}',
    machine: 'Translation',
    hasQuote: true,
  },
  voice_over: {
    about: 'Speaks translations of an asset',
    path: '/v1/assets/{asset_id}/process_voice_over_jobs/{job_id}',
    machine: 'VoiceOver',
    hasQuote: true,
  },
  partial_retranslation: {
    about: 'Translates some segments again',
    path: '/v1/assets/{asset_id}/partial_retranslation_jobs/{job_id}',
    machine: 'Translation',
  },
  clips: {
    about: 'Renders clips for download',
    path: '/v1/assets/{asset_id}/video_clips/download_async/{job_id}',
    machine: 'Clips',
    hasQuote: true,
  },
  export: {
    about: 'Writes to an external storage',
    path: '/v1/jobs/{job_id}',
    machine: 'Export',
  },
  branding_upload: {
    about: 'Checks the file of a branding overlay or clip',
    path: '/v1/jobs/{job_id}',
    machine: 'BrandingUpload',
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

export type QuotedJob = {
  [Kind in JobType]: (typeof jobKinds)[Kind] extends { readonly hasQuote: true } ? Kind : never;
}[JobType];

export const quotedJobs = jobTypes.filter(
  (type): type is QuotedJob => (jobKinds[type] as JobKindFacts).hasQuote === true,
);

export type JobMachine = Extract<(typeof jobKinds)[JobType], { readonly machine: string }>['machine'];

/** State machines that run jobs. The sweep, and functions that start jobs of any kind, may start all of these machines. */
export const jobMachines = [
  ...new Set(jobTypes.flatMap((type) => (jobKinds[type] as { readonly machine?: JobMachine }).machine ?? [])),
].sort();

/** The names of all state machines: the names of their files in `state-machines/`, written in PascalCase. */
export type MachineName = JobMachine | 'DeleteAsset' | 'DeliverEvent' | 'EmptyCollection';
