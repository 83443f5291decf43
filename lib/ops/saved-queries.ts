/**
 * Queries of CloudWatch Logs Insights, saved under `Kinora/<env>/`. They find the operation, step, tenant or job that caused the
 * value of a sum. A query costs money only when it runs. A metric would cost money every month.
 */
import type { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { Environment } from '../environments.ts';
import { stableId } from '../shared/names.ts';

/** The maximum number of log groups of a saved query (CloudWatch Logs API Reference, PutQueryDefinition). */
const GROUPS = 50;

interface SavedQuery {
  readonly id: string;
  readonly name: string;
  readonly of: 'api' | 'jobs' | 'canary' | 'all';
  readonly lines: readonly string[];
}

const queries: readonly SavedQuery[] = [
  {
    id: 'FailingOperations',
    name: 'Which operations fail',
    of: 'api',
    lines: [
      'filter message = "request" and status >= 500 and status != 501',
      'stats count() as failures by operation, code',
      'sort failures desc',
    ],
  },
  {
    id: 'SlowOperations',
    name: 'Which operations are slow',
    of: 'api',
    lines: [
      'filter message = "request"',
      'stats count() as requests, pct(latency_ms, 50) as p50, pct(latency_ms, 99) as p99 by operation',
      'sort p99 desc',
    ],
  },
  {
    id: 'BusyTenants',
    name: 'Which tenants ask for most',
    of: 'api',
    lines: [
      'filter message = "request"',
      'stats count() as requests, sum(strcontains(code, "rate_limited")) as refused by tenant',
      'sort requests desc',
    ],
  },
  {
    id: 'FailingSteps',
    name: 'Which steps fail',
    of: 'jobs',
    lines: [
      'filter message = "step" and outcome != "done"',
      'stats count() as failures by step, outcome',
      'sort failures desc',
    ],
  },
  {
    id: 'SlowSteps',
    name: 'Which steps are slow',
    of: 'jobs',
    lines: [
      'filter message = "step"',
      'stats count() as runs, pct(StepDuration, 50) as p50_ms, pct(StepDuration, 99) as p99_ms, sum(NearTimeout) as near_timeout by step',
      'sort p99_ms desc',
    ],
  },
  {
    id: 'CanaryStages',
    name: 'Which stage of the canary failed',
    of: 'canary',
    lines: [
      'filter schedule = "Canary" and ispresent(CanaryFailed) or level = "error" or @message like /Task timed out/',
      'fields @timestamp, failed_stage, failed_with, asset_id, job_id, leftovers, error_message',
      'sort @timestamp desc',
    ],
  },
  {
    id: 'UnexpectedErrors',
    name: 'What fails unexpectedly',
    of: 'all',
    lines: [
      'filter level = "error" or @message like /Task timed out|Runtime\\.(ExitError|ImportModuleError)/',
      'stats count() as errors, latest(@timestamp) as last by @log, error, error_message',
      'sort errors desc',
    ],
  },
  {
    id: 'NearMemory',
    name: 'Which functions are near their memory',
    of: 'all',
    lines: [
      'filter @message like /^REPORT RequestId/',
      'parse @message /Memory Size: (?<memory>\\d+) MB\\s+Max Memory Used: (?<used>\\d+) MB/',
      'stats max(100 * used / memory) as percent, max(used) as used_MB, max(memory) as memory_MB by @log',
      'sort percent desc',
    ],
  },
  {
    id: 'OneThing',
    name: 'History of an asset, a job or a request (enter its id)',
    of: 'all',
    lines: [
      'filter @message like "PUT-THE-ID-HERE"',
      'fields @timestamp, @log, message, operation, step, outcome, status, code, error_message',
      'sort @timestamp asc',
    ],
  },
];

/** @param groups the names of the functions' log groups */
export function saveQueries(
  stack: Stack,
  { name }: Environment,
  groups: Readonly<Record<'api' | 'jobs' | 'canary', readonly string[]>>,
): void {
  const all = { ...groups, all: [...groups.api, ...groups.jobs] };
  for (const query of queries) {
    const chosen = chunks(all[query.of]);
    for (const [index, logGroupNames] of chosen.entries()) {
      const part = chosen.length === 1 ? '' : `, part ${index + 1}`;
      const id = `${query.id}Query${index === 0 ? '' : index + 1}`;
      const saved = new CfnQueryDefinition(stack, id, {
        name: `Kinora/${name}/${query.name}${part}`,
        logGroupNames,
        queryString: query.lines.join('\n| '),
      });
      stableId(saved, id);
    }
  }
}

const chunks = (groups: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(groups.length / GROUPS) }, (_, index) =>
    groups.slice(index * GROUPS, (index + 1) * GROUPS),
  );
