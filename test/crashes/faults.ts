/** The faults that can happen at a step, as data: the act, and its place in the step. */
import { type Executor, exited, type Invocation, type Reply } from './executor.ts';
import type { Meeting } from './lives.ts';

/** `within` means at one of the step's writes. A number selects the write. */
export type Place = 'before' | 'within' | 'after';

export type Act =
  /** The function dies, and is invoked again. At a write: the write is not made. */
  | 'dies'
  /** The function dies after the write, and is invoked again. */
  | 'dies behind a write'
  /** The function dies on every attempt, after all of its work. */
  | 'dies each time'
  /** The message is delivered twice: one after the other, or both at the same time. */
  | 'comes twice'
  | 'comes twice at once'
  /** The executor dies while the function still works, and a new executor continues. */
  | 'executor dies'
  /** The execution ends while the function still works, as after a time-out. */
  | 'execution ends'
  | 'is canceled'
  | 'is deleted'
  /** The sweep runs, a minute after the job became due for it. */
  | 'sweep comes';

export interface Fault {
  /** The step of the machine. `start` is the request that starts the machine. */
  readonly step: string;
  readonly act: Act;
  readonly place: Place;
  /** The number of the write, from 1, if the place is `within`. */
  readonly write: number;
}

/** The effect of each act. */
export interface Hands {
  readonly executor: Pick<Executor, 'kill' | 'stop'>;
  /** Delivers the event that an execution ended, as EventBridge does. */
  hear(execution: string): Promise<void>;
  cancel(): Promise<void>;
  remove(): Promise<void>;
  sweep(): Promise<void>;
}

export const places: Readonly<Record<Act, readonly Place[]>> = {
  dies: ['before', 'within', 'after'],
  'dies behind a write': ['within'],
  'dies each time': ['after'],
  'comes twice': ['after'],
  'comes twice at once': ['before'],
  'executor dies': ['before', 'within', 'after'],
  'execution ends': ['before', 'within', 'after'],
  'is canceled': ['before', 'within', 'after'],
  'is deleted': ['before', 'within', 'after'],
  'sweep comes': ['before', 'within', 'after'],
};

export const acts = Object.keys(places) as Act[];

const well = async ({ run }: Invocation): Promise<Reply> => (await run()).reply;

export async function withFault(invocation: Invocation, fault: Fault, hands: Hands): Promise<Reply> {
  const { act, place, write } = fault;
  const { run } = invocation;
  switch (act) {
    case 'dies':
      if (place === 'before') return exited;
      if (place === 'within') return (await run(write, (_, life) => life.die())).reply;
      await well(invocation);
      return exited;
    case 'dies behind a write':
      return (await run(write, behind)).reply;
    case 'dies each time':
      await well(invocation);
      return exited;
    case 'comes twice':
      await well(invocation);
      return well(invocation);
    case 'comes twice at once':
      return (await Promise.all([well(invocation), well(invocation)]))[1];
    case 'execution ends': {
      const reply = await meanwhile(invocation, fault, () => hands.executor.stop(invocation.execution));
      // The function has stopped. The event may be lost: then the sweep finds the job.
      if (write % 2 === 1) await hands.hear(invocation.execution);
      return reply;
    }
    default:
      return meanwhile(invocation, fault, doing(act, hands));
  }
}

const behind: Meeting = async (go, life) => {
  await go().catch(() => {});
  return life.die();
};

/** An event outside of the step happens before, within or after it. The step itself succeeds. */
async function meanwhile(
  invocation: Invocation,
  { place, write }: Fault,
  happens: () => Promise<void>,
): Promise<Reply> {
  if (place === 'before') await happens();
  const meeting: Meeting = async (go, life) => {
    await life.outside(happens);
    return go();
  };
  const { reply } = await invocation.run(place === 'within' ? write : 0, meeting);
  if (place === 'after') await happens();
  return reply;
}

function doing(act: Act, { executor, cancel, remove, sweep }: Hands) {
  const work: Partial<Record<Act, () => Promise<void>>> = {
    'executor dies': () => executor.kill(),
    'is canceled': cancel,
    'is deleted': remove,
    'sweep comes': sweep,
  };
  return work[act]!;
}
