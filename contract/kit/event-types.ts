/** Types of events in the event log and in webhooks, with their meaning. */
export const eventTypes = {
  'asset.created': 'The asset exists; its upload may begin',
  'asset.processing': 'The upload is complete, and processing has started',
  'asset.ready': 'Processing succeeded: transcription and subtitles can be read',
  'asset.failed': 'Processing failed; `error` says why, and what to do',
  'asset.deleted': 'The asset is no longer in lists; its media is deleted within minutes',
  'job.created': 'The job is queued',
  'job.succeeded': 'The job finished all of its items',
  'job.partially_succeeded': 'Some items of the job failed; the others are done',
  'job.failed': 'The job failed; `error` says why, and what to do',
  'job.canceled': 'The job was canceled before its end',
  'webhook.test': 'A test of the webhook was requested',
} as const;

export type EventType = keyof typeof eventTypes;

export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** Types that a webhook can select. The tested webhook always receives the test event. */
export const subscribedTypeNames = eventTypeNames.filter((type) => type !== 'webhook.test');
