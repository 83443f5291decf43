/** Sends requests to Amazon Transcribe. */
import { requestsTo } from '../aws/requests.ts';

export const askTranscribe = requestsTo('Amazon Transcribe', 'the job');

/** Returns the answer null if the job or vocabulary does not exist. Transcribe answers BadRequestException if it never existed. */
export const nullIfMissing = ({ name }: Error) =>
  name === 'BadRequestException' || name === 'NotFoundException' ? { answer: null } : undefined;
