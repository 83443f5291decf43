/**
 * Simulates processes that die between two writes. A Lambda that dies returns nothing and runs no `finally`. So here it
 * waits forever at its next write, and its caller learns that it exited.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';

/** Called at a write. It may run `go`, which makes the write, and returns the result for the process. */
export type Meeting = (go: () => Promise<unknown>, life: Life) => Promise<unknown>;

export interface Life {
  writes: number;
  isDead: boolean;
  /** Ends the process. It writes nothing from now on. */
  die(): Promise<never>;
  /** Runs `work` outside of any process that can die. */
  outside<Result>(work: () => Promise<Result>): Promise<Result>;
}

export type Ended<Result> = { readonly result: Result } | { readonly died: true };

interface Met extends Life {
  readonly at: number;
  readonly meeting: Meeting;
}

const lives = new AsyncLocalStorage<Met>();
const never = new Promise<never>(() => {});

/** Reads change nothing: dying at a read equals dying before the next write. */
const reading = /^(Get|BatchGet|Query|Scan|Head|List|Describe|AssumeRole)/;

/**
 * Runs the work as a process that can die.
 * @param at the write at which `meet` is called, from 1; 0 for none
 * @returns the result, and the number of writes that the process started
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

/** Intercepts all writes of the processes that `lived` starts. Returns a function that undoes it. */
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

const outside = <Result>(work: () => Promise<Result>): Promise<Result> => lives.exit(work);
