/** Time and ids. They are injected, so that tests can fix them. */
import { uuidv7 } from 'uuidv7';

export interface Clock {
  now(): Date;
  newId(): string;
}

export const clock: Clock = { now: () => new Date(), newId: () => uuidv7() };
