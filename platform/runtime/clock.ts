/** Time and identity, injected everywhere so that tests can hold them still. */
import { uuidv7 } from 'uuidv7';

export interface Clock {
  now(): Date;
  newId(): string;
}

export const clock: Clock = { now: () => new Date(), newId: () => uuidv7() };
