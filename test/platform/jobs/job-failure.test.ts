import { describe, expect, it } from 'vitest';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';

const lambdaCause = (errorMessage: string) =>
  JSON.stringify({ errorType: 'x', errorMessage, trace: ['secret'] });

describe('the failure of a job', () => {
  it('carries the detail of an error of ours', () => {
    expect(jobFailure('media_unreadable', lambdaCause('The file seems to be a PDF.'))).toEqual({
      code: 'media_unreadable',
      title: 'The media cannot be read',
      detail: 'The file seems to be a PDF.',
      retryable: false,
    });
  });

  it('says nothing of the inside for any other error', () => {
    const failure = jobFailure('TypeError', lambdaCause('cannot read secret of undefined'));
    expect(failure).toMatchObject({ code: 'internal_error', retryable: true });
    expect(failure.detail).not.toContain('secret');
  });

  it('calls a timeout a timeout, whoever noticed it', () => {
    expect(jobFailure('States.Timeout', '').code).toBe('timed_out');
    expect(jobFailure('Sandbox.Timedout', lambdaCause('Task timed out')).code).toBe('timed_out');
  });

  it('is not misled by names that every object has', () => {
    expect(jobFailure('constructor', '').code).toBe('internal_error');
  });
});
