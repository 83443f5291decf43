/** The client of AWS KMS for engines. */
import { KMSClient } from '@aws-sdk/client-kms';
import { patience } from './requests.ts';

/** Time limit of one attempt, ms. Three attempts fit into the 29 seconds of an API request. */
const ANSWER_MS = 5000;

export const kms = (): KMSClient => new KMSClient({ requestHandler: patience(ANSWER_MS) });
