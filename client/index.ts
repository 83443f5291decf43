/** The client of the Kinora API, without dependencies: `new Kinora({ url, apiKey })`. */
export type { Answer, Full, List, Page } from './answers.ts';
export { type CallOptions, type ClientOptions, type ProblemBody, ProblemError } from './http.ts';
export { jobEnd } from './jobs.ts';
export * from './operations.ts';
export { uploadAsset } from './upload.ts';
export { replayEvents, verifyWebhook, WebhookError, type WebhookMessage } from './webhooks.ts';
