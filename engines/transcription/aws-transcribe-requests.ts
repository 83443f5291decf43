/** Sends requests to Amazon Transcribe. */
import { requestsTo } from '../aws/requests.ts';

export const askTranscribe = requestsTo('Amazon Transcribe', 'the job');

/** Transcribe answers BadRequestException for a job or a vocabulary that never existed. */
export const nullIfMissing = ({ name }: Error) =>
  name === 'BadRequestException' || name === 'NotFoundException' ? { answer: null } : undefined;
