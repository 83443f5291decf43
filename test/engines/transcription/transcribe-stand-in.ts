/**
 * Amazon Transcribe by aws-sdk-client-mock, which answers in the shapes of the API reference (StartTranscriptionJob,
 * GetTranscriptionJob, CreateVocabulary, GetVocabulary, DeleteVocabulary) and of the developer guide ("Example diarization output (batch)"): nothing here reaches the
 * service, and nothing proves that it still behaves as documented.
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
 * The service as documented: a name is taken once, a job or vocabulary goes on from call to call, a job's result lies in S3.
 * @param vocabularies their states by name
 * @param made what becomes of vocabularies
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
