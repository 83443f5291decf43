/** How far CloudFormation is with a stack, from its events alone. */
import { isFollowUp } from './reasons.ts';

/** What of an event of CloudFormation counts here. */
export interface StackEvent {
  readonly StackId?: string | undefined;
  readonly LogicalResourceId?: string | undefined;
  readonly PhysicalResourceId?: string | undefined;
  readonly ResourceType?: string | undefined;
  readonly ResourceStatus?: string | undefined;
  readonly ResourceStatusReason?: string | undefined;
}

export interface FailedResource {
  readonly stack: string;
  readonly resource: string;
  readonly type: string;
  readonly reason: string;
}

export interface StackProgress {
  /** `Data` of `Kinora-dev-Data`. */
  readonly stack: string;
  /** How many resources are to be made or deleted; null where only CloudFormation knows, as in an update. */
  readonly total: number | null;
  readonly state: 'waiting' | 'working' | 'returning' | 'done' | 'failed';
  /** Logical ids of what is done with. */
  readonly settled: ReadonlySet<string>;
  /** Logical ids of what is being worked on, in the order in which that began. */
  readonly open: readonly string[];
  readonly failures: readonly FailedResource[];
}

export const waiting = (stack: string, total: number | null): StackProgress => ({
  ...{ stack, total, state: 'waiting', settled: new Set<string>(), open: [], failures: [] },
});

export function advanced(progress: StackProgress, event: StackEvent): StackProgress {
  const isOfStack = event.PhysicalResourceId !== undefined && event.PhysicalResourceId === event.StackId;
  return isOfStack ? withStack(progress, event) : withResource(progress, event);
}

function withStack(progress: StackProgress, { ResourceStatus = '' }: StackEvent): StackProgress {
  const isReturning = /ROLLBACK/.test(ResourceStatus);
  if (/_FAILED$/.test(ResourceStatus) || /ROLLBACK_COMPLETE$/.test(ResourceStatus))
    return { ...progress, state: 'failed', open: [] };
  if (/^(CREATE|UPDATE|DELETE|IMPORT)_COMPLETE$/.test(ResourceStatus))
    return { ...progress, state: 'done', open: [] };
  if (isReturning) return { ...progress, state: 'returning' };
  // What a stack is before its first change set is carried out.
  if (ResourceStatus === 'REVIEW_IN_PROGRESS') return progress;
  return { ...progress, state: 'working' };
}

function withResource(progress: StackProgress, event: StackEvent): StackProgress {
  const { LogicalResourceId: id = '', ResourceStatus = '', ResourceStatusReason = '' } = event;
  const open = progress.open.filter((other) => other !== id);
  if (/_IN_PROGRESS$/.test(ResourceStatus)) return { ...progress, open: [...open, id] };
  if (/_FAILED$/.test(ResourceStatus)) {
    if (isFollowUp(ResourceStatusReason)) return { ...progress, open };
    const { ResourceType = '' } = event;
    const failed = { stack: progress.stack, resource: id, type: ResourceType, reason: ResourceStatusReason };
    return { ...progress, open, failures: [...progress.failures, failed] };
  }
  // While it goes back to what was before, what is done is not what was asked for.
  if (progress.state === 'returning') return { ...progress, open };
  return { ...progress, open, settled: new Set([...progress.settled, id]) };
}

const words: Readonly<Record<StackProgress['state'], string>> = {
  waiting: 'waits',
  working: '',
  returning: 'goes back to what was before',
  done: 'done',
  failed: 'failed',
};

/** So many names of what is being worked on fit into a line. */
const NAMED = 2;

/** "Jobs        ████░░  120 of 240, MediaImage …" @param bar draws a fraction */
export function lineOf(progress: StackProgress, bar: (fraction: number) => string): string {
  const { stack, total, state, settled, open } = progress;
  const share = state === 'done' ? 1 : total === null || total === 0 ? 0 : settled.size / total;
  const count = total === null ? `${settled.size} changed` : `${settled.size} of ${total}`;
  // The oldest is what all wait for.
  const named = open.slice(0, NAMED).join(', ');
  const more = open.length > NAMED ? ` and ${open.length - NAMED} more` : '';
  const parts = [state === 'waiting' ? '' : count, words[state], `${named}${more}`];
  return `${stack.padEnd(11)} ${bar(Math.min(1, share))}  ${parts.filter(Boolean).join(', ')}`;
}
