/**
 * Processes that can die between two things that they do to the world. A Lambda that dies answers nothing and runs no `finally`: here it
 * waits for ever at what it was about to write, and whoever waits for it is told that it exited.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';

/** What happens at a write: it does `go`, or does not, and gives what the process gets. */
export type Meeting = (go: () => Promise<unknown>, life: Life) => Promise<unknown>;

export interface Life {
  /** How many writes were begun so far. */
  writes: number;
  isDead: boolean;
  /** Ends the process: it writes nothing from now on. */
  die(): Promise<never>;
  /** Does something in the name of nobody who could die. */
  outside<Result>(work: () => Promise<Result>): Promise<Result>;
}

export type Ended<Result> = { readonly result: Result } | { readonly died: true };

interface Met extends Life {
  readonly at: number;
  readonly meeting: Meeting;
}

const lives = new AsyncLocalStorage<Met>();
const never = new Promise<never>(() => {});

/** Reading changes nothing: a death there is one before the write that follows. */
const reading = /^(Get|BatchGet|Query|Scan|Head|List|Describe|AssumeRole)/;

/**
 * Does the work as a process of its own.
 * @param at which of its writes is met, from 1; 0 for none
 * @returns what came of it, and how many writes it began
 */
export async function lived<Result>(
  work: () => Promise<Result>,
  at = 0,
  meeting: Meeting = (go) => go(),
): Promise<{ ended: Ended<Result>; writes: number }> {
  const death = Promise.withResolvers<{ died: true }>();
  const life: Met = {
    ...{ writes: 0, isDead: false, at, meeting },
    die() {
      life.isDead = true;
      death.resolve({ died: true });
      return never;
    },
    outside,
  };
  const done = lives.run(life, async () => ({ result: await work() }));
  const ended = await Promise.race([done, death.promise]);
  return { ended, writes: life.writes };
}

/** Has all writes of all processes met that `lived` began. Gives how to undo it. */
export function meetWrites(): () => void {
  const undo = [DynamoDBClient, S3Client, SFNClient].map(({ prototype }) => {
    const send = prototype.send as (...given: unknown[]) => Promise<unknown>;
    prototype.send = function (this: unknown, ...given: unknown[]) {
      return met(String((given[0] as object).constructor.name), () => send.apply(this, given));
    } as never;
    return () => {
      prototype.send = send as never;
    };
  });
  return () => {
    for (const one of undo) one();
  };
}

async function met(command: string, go: () => Promise<unknown>): Promise<unknown> {
  const life = lives.getStore();
  if (life === undefined || reading.test(command)) return go();
  if (life.isDead) return never;
  life.writes += 1;
  return life.writes === life.at ? life.meeting(go, life) : go();
}

/** Does something in the name of nobody who could die. */
export const outside = <Result>(work: () => Promise<Result>): Promise<Result> => lives.exit(work);
