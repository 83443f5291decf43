/** What the engines of this environment do of an ingest. */
import { jobErrors } from '../../../contract/kit/errors.ts';
import type { JobFailure } from '../../../platform/shared/assets.ts';
import type { Unavailable } from '../rules/outcomes.ts';

/** Analyses that an engine does. */
const done: ReadonlySet<string> = new Set(['transcription']);

export const unavailableHere: Unavailable = (kind) => (done.has(kind) ? null : notHere(kind));

const notHere = (kind: string): JobFailure => ({
  code: 'engine_unavailable',
  title: jobErrors.engine_unavailable.title,
  detail: `No engine for ${kind.replaceAll('_', ' ')} is part of this version yet: it is planned.`,
  retryable: jobErrors.engine_unavailable.retryable,
});
