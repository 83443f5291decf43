/** What the event log keeps and webhooks tell, with what each means. */
export const eventTypes = {
  'asset.created': 'The asset exists; its upload may begin',
  'asset.processing': 'The upload is complete and is processed',
  'asset.ready': 'Processing ended well: transcription and subtitles can be read',
  'asset.failed': 'Processing ended; `error` says why, and what to do',
  'asset.deleted': 'The asset is gone from lists; its media follow within minutes',
  'job.created': 'The job is queued',
  'job.succeeded': 'The job did all that it was to do',
  'job.partially_succeeded': 'Some items of the job failed; the others are done',
  'job.failed': 'The job ended without its result; `error` says why, and what to do',
  'job.canceled': 'The job was ended before it was done',
  'webhook.test': 'Somebody asked for a test of the webhook',
} as const;

export type EventType = keyof typeof eventTypes;

export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** The types that a webhook can choose: a test goes to the webhook that is tested, whatever it chose. */
export const subscribedTypeNames = eventTypeNames.filter((type) => type !== 'webhook.test');
