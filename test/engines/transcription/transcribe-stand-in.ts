/**
 * A stand-in for Amazon Transcribe (aws-sdk-client-mock) with the documented answers of jobs, vocabularies and results
 * ("Example diarization output (batch)" of the developer guide). Nothing reaches AWS, so it does not prove that AWS
 * still behaves as documented.
 */
import {
  BadRequestException,
  ConflictException,
  CreateVocabularyCommand,
  DeleteTranscriptionJobCommand,
  DeleteVocabularyCommand,
  GetTranscriptionJobCommand,
  GetVocabularyCommand,
  NotFoundException,
  StartTranscriptionJobCommand,
  TranscribeClient,
  type TranscriptionJob,
} from '@aws-sdk/client-transcribe';
import { mockClient } from 'aws-sdk-client-mock';

export { item, mark, result } from './results.ts';

export const service = mockClient(TranscribeClient);
export const answered = { $metadata: {}, message: '' };

/**
 * Simulates the documented service: names are unique, jobs and vocabularies progress with each call, and results are in
 * S3.
 * @param vocabularies their states by name
 * @param made the state of a new vocabulary
 */
export function simulate(
  jobs = new Map<string, TranscriptionJob>(),
  vocabularies = new Map<string, 'PENDING' | 'READY' | 'FAILED'>(),
  made: 'READY' | 'FAILED' = 'READY',
) {
  service.on(CreateVocabularyCommand).callsFake(({ VocabularyName }) => {
    if (vocabularies.has(VocabularyName)) throw new ConflictException(answered);
    vocabularies.set(VocabularyName, 'PENDING');
    return { VocabularyName, VocabularyState: 'PENDING' };
  });
  service.on(GetVocabularyCommand).callsFake(({ VocabularyName }) => {
    const VocabularyState = vocabularies.get(VocabularyName);
    if (VocabularyState === undefined) throw new NotFoundException(answered);
    if (VocabularyState === 'PENDING') vocabularies.set(VocabularyName, made);
    return { VocabularyName, VocabularyState };
  });
  service.on(DeleteVocabularyCommand).callsFake(({ VocabularyName }) => {
    if (!vocabularies.delete(VocabularyName)) throw new NotFoundException(answered);
    return {};
  });
  service.on(DeleteTranscriptionJobCommand).callsFake(({ TranscriptionJobName }) => {
    if (!jobs.delete(TranscriptionJobName)) throw new BadRequestException(answered);
    return {};
  });
  service.on(StartTranscriptionJobCommand).callsFake((input) => {
    if (jobs.has(input.TranscriptionJobName)) throw new ConflictException(answered);
    const job: TranscriptionJob = { ...input, TranscriptionJobStatus: 'QUEUED' };
    jobs.set(input.TranscriptionJobName, job);
    return { TranscriptionJob: job };
  });
  service.on(GetTranscriptionJobCommand).callsFake(({ TranscriptionJobName }) => {
    const job = jobs.get(TranscriptionJobName);
    if (!job) throw new BadRequestException(answered);
    const next = { QUEUED: 'IN_PROGRESS', IN_PROGRESS: 'COMPLETED' } as const;
    job.TranscriptionJobStatus = next[job.TranscriptionJobStatus as keyof typeof next] ?? 'COMPLETED';
    return { TranscriptionJob: { ...job } };
  });
  return jobs;
}
