import { describe, expect, it } from 'vitest';
import { jobFailure } from '../../../platform/jobs/job-failure.ts';

const lambdaCause = (errorMessage: string) =>
  JSON.stringify({ errorType: 'x', errorMessage, trace: ['secret'] });

describe('the failure of a job', () => {
  it('has the detail of an error of Kinora', () => {
    expect(jobFailure('media_unreadable', lambdaCause('The file seems to be a PDF.'))).toEqual({
      code: 'media_unreadable',
      title: 'The media cannot be read',
      detail: 'The file seems to be a PDF.',
      retryable: false,
    });
  });

  it('hides internal details for any other error', () => {
    const failure = jobFailure('TypeError', lambdaCause('cannot read secret of undefined'));
    expect(failure).toMatchObject({ code: 'internal_error', retryable: true });
    expect(failure.detail).not.toContain('secret');
  });

  it.each(['States.Timeout', 'States.HeartbeatTimeout', 'Sandbox.Timedout', 'Lambda.Unknown'])(
    'is a time-out with advice for the error %s, with or without a cause',
    (error) => {
      for (const cause of [undefined, '', lambdaCause('Task timed out after 900.00 seconds')]) {
        const failure = jobFailure(error, cause);
        expect(failure).toMatchObject({ code: 'timed_out', retryable: true });
        expect(failure.detail).toMatch(/use a shorter asset/);
      }
    },
  );

  it.each(['Runtime.ExitError', 'Runtime.OutOfMemory'])(
    'contains advice without internal details for the error %s',
    (error) => {
      const failure = jobFailure(error, lambdaCause('Runtime exited with error: signal: killed'));
      expect(failure.code).toBe('internal_error');
      expect(failure.detail).toMatch(/memory.*use a shorter asset/s);
    },
  );

  it('contains a sentence for an error of Kinora without a cause', () => {
    expect(jobFailure('provider_unavailable').detail).toBe('Create the job again later.');
  });

  it.each(['provider_unavailable', 'provider_throttled'])(
    'for the error %s names the unavailable provider, and says that the job can be created again',
    (error) => {
      expect(jobFailure(error, lambdaCause('Amazon Polly is throttling requests.'))).toEqual({
        code: 'provider_unavailable',
        title: 'A provider is unavailable',
        detail: 'Amazon Polly is throttling requests. Create the job again later.',
        retryable: true,
      });
    },
  );

  it('is an internal error if the execution has no error', () => {
    expect(jobFailure().code).toBe('internal_error');
  });

  it('ignores error names such as `toString`, which every object has', () => {
    expect(jobFailure('constructor', '').code).toBe('internal_error');
  });
});
