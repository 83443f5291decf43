/** Follows what CloudFormation does with the stacks of an environment, by their events as they come. */
import {
  type CloudFormationClient,
  DescribeStackEventsCommand,
  type StackEvent,
} from '@aws-sdk/client-cloudformation';
import { advanced, type StackProgress, waiting } from './progress.ts';

export interface Followed {
  readonly client: CloudFormationClient;
  /** Name, or id: only by its id is a stack known once it is deleted. */
  readonly stack: string;
  /** As people read it: `Data`. */
  readonly part: string;
  readonly total: number | null;
}

export class Follower {
  readonly #stacks: readonly Followed[];
  readonly #onLook: (all: readonly StackProgress[]) => void;
  readonly #seen = new Set<string>();
  readonly #progress: StackProgress[];

  /** @param onLook learns the state of all stacks after each look */
  constructor(stacks: readonly Followed[], onLook: (all: readonly StackProgress[]) => void) {
    this.#stacks = stacks;
    this.#onLook = onLook;
    this.#progress = stacks.map(({ part, total }) => waiting(part, total));
  }

  get progress(): readonly StackProgress[] {
    return this.#progress;
  }

  /** What has happened until now was of something else. */
  async begin(): Promise<void> {
    const pages = this.#stacks.map(({ client, stack }) => pageOf(client, stack, undefined));
    for (const { events } of await Promise.all(pages))
      for (const { EventId } of events) this.#seen.add(EventId!);
  }

  /** Reads what is new of every stack. */
  async look(): Promise<void> {
    const read = this.#stacks.map((followed) => this.#newEvents(followed));
    for (const [at, events] of (await Promise.all(read)).entries())
      this.#progress[at] = events.reduce(advanced, this.#progress[at]!);
    this.#onLook(this.#progress);
  }

  /** Looks until the work has ended, and once more. The work's own failure is the caller's. */
  async during<T>(work: Promise<T>, everyMs: number): Promise<T> {
    const ended = work.then(
      () => true,
      () => true,
    );
    const passed = () => new Promise<false>((resolve) => setTimeout(resolve, everyMs, false));
    // The work goes on where nobody can see it for a moment.
    const look = () => this.look().catch(() => undefined);
    while (!(await Promise.race([ended, passed()]))) await look();
    await look();
    return work;
  }

  /** Oldest first. The service answers the newest first, in pages. */
  async #newEvents({ client, stack }: Followed): Promise<StackEvent[]> {
    const found: StackEvent[] = [];
    let token: string | undefined;
    do {
      const page = await pageOf(client, stack, token);
      const fresh = page.events.filter(({ EventId }) => !this.#seen.has(EventId!));
      found.push(...fresh);
      token = fresh.length === page.events.length ? page.next : undefined;
    } while (token !== undefined);
    for (const { EventId } of found) this.#seen.add(EventId!);
    return found.reverse();
  }
}

async function pageOf(client: CloudFormationClient, StackName: string, NextToken: string | undefined) {
  try {
    const answer = await client.send(
      new DescribeStackEventsCommand({ StackName, ...(NextToken && { NextToken }) }),
    );
    return { events: answer.StackEvents ?? [], next: answer.NextToken };
  } catch (error) {
    if (isMissing(error)) return { events: [], next: undefined };
    throw error;
  }
}

/** CloudFormation answers a ValidationError for a stack that there is not, or not yet. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message);
