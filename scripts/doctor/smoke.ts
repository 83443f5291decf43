/** Tests a running environment: the site's pages, the page of an error, and the main job with a temporary key. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Kinora, type ProblemBody, ProblemError } from '../../client/index.ts';
import type { Scope } from '../../contract/kit/scopes.ts';
import { MainJob } from '../../lambdas/canary/actions/main-job.ts';
import { StageFailed, withTimeLimit, wordsOf } from '../../lambdas/canary/rules/stage-failed.ts';
import { limitsMs, type MainStage, mainStages } from '../../lambdas/canary/rules/stages.ts';
import { accessTo, type Ready } from '../../local/ready.ts';
import { ApiKeys } from '../../platform/records/api-keys.ts';
import { defined, itemAt } from '../../shared/checked-access.ts';
import { asTenantId } from '../../shared/ids.ts';
import { root } from '../../toolchain/bundle/paths.ts';
import { type Advice, adviceOf, Failure } from '../deployment/failure.ts';
import { outputsOf, stacksOf } from '../deployment/stacks.ts';
import { type Finding, failing, type Subject, well } from './check.ts';

/** Runs a step. Returns a sentence about what it did. Throws if it failed. */
type Work = () => Promise<string>;

/** Runs steps that depend on each other, and reports each when it ends. After the first failure, no more steps run. */
class Steps {
  readonly findings: Finding[] = [];
  readonly #onFinding: (finding: Finding) => void;

  constructor(onFinding: (finding: Finding) => void) {
    this.#onFinding = onFinding;
  }

  /** @returns whether the step succeeded */
  async take(title: string, work: Work): Promise<boolean> {
    const started = performance.now();
    try {
      const did = await work();
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      this.#add({ ...well(`${did} (${seconds} s)`), title });
      return true;
    } catch (error) {
      const { says, cure } = words(error, title);
      this.#add({ ...failing(says, cure), title });
      return false;
    }
  }

  /** Runs the steps in order until one fails. */
  async all(steps: readonly (readonly [title: string, work: Work])[]): Promise<void> {
    for (const [title, work] of steps) if (!(await this.take(title, work))) return;
  }

  #add(finding: Finding): void {
    this.findings.push(finding);
    this.#onFinding(finding);
  }
}

/** Advice, by the stage of the main job that failed. */
const cures: Readonly<Record<string, string>> = {
  Create: 'docs/runbooks.md, "API server errors", says how to find the request in the logs.',
  Processing:
    'docs/runbooks.md, "Machine failed"; npm run doctor without --after says whether the services answer.',
  Subtitles: 'Look at the step TranscribePiece: its log in /kinora/, and the service that it calls.',
  Delete: 'docs/runbooks.md, "Machine failed": the machine DeleteAsset.',
};

function words(error: unknown, title: string): Advice {
  if (error instanceof Failure) return error;
  if (error instanceof StageFailed)
    return { says: wordsOf(error), cure: cures[title] ?? defined(cures.Create) };
  if (error instanceof ProblemError) return { says: wordsOf(error), cure: defined(cures.Create) };
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
  if (cause?.code === 'ENOTFOUND')
    return {
      says: `the name ${(cause as { hostname?: string }).hostname} does not resolve`,
      cure: 'Create the DNS record that the stack’s outputs name (console, CloudFormation, Outputs), or set hostedZoneId in the environment’s file. A new record takes minutes.',
    };
  return adviceOf(cause ?? error);
}

interface SmokedSite {
  /** The origin, without a slash at its end. */
  readonly url: string;
  /** False for a preview, which answers only requests with its token. */
  readonly isPublic: boolean;
}

function siteSteps({ url, isPublic }: SmokedSite): (readonly [title: string, work: Work])[] {
  if (!isPublic) return [['Site', () => refusesStrangers(url)]];
  return [
    ['Site', () => answers(url, 'text/html', /<title>/)],
    ['Site for programs', () => answers(url, 'text/markdown', /^# /m)],
  ];
}

async function answers(url: string, type: string, shows: RegExp): Promise<string> {
  const response = await fetch(`${url}/`, { headers: { Accept: type } });
  const text = await response.text();
  const got = response.headers.get('content-type') ?? 'no type';
  if (response.status === 200 && got.startsWith(type) && shows.test(text)) return `${url}/ answers ${got}`;
  throw new Failure(
    `${url}/ answers ${response.status} and ${got}, where ${type} was asked for`,
    'docs/runbooks.md, "Site server errors". For some minutes after a deployment CloudFront may still serve the old version: try again.',
  );
}

async function refusesStrangers(url: string): Promise<string> {
  const { status } = await fetch(`${url}/`);
  if (status === 403) return `${url}/ refuses requests without its token`;
  throw new Failure(
    `${url}/ answers ${status} to a request without its token`,
    'Check site.access in the environment’s file, and deploy again.',
  );
}

/** The minimum size of a part in S3, except the last, bytes (Amazon S3 User Guide, "Multipart upload limits"). */
const PART_BYTES = 5 * 1024 * 1024;

const demoFilm = (): Buffer => readFileSync(join(root, 'content', 'demo', 'kinora-demo.mp4'));

/** Adds a `free` box to the film, so that it has several parts. Players ignore the box (ISO/IEC 14496-12 §8.1.2). */
export function withSpace(film: Buffer, bytes = PART_BYTES): Blob {
  const space = Buffer.alloc(Math.max(0, bytes));
  space.writeUInt32BE(space.length);
  space.write('free', 4, 'latin1');
  return new Blob([new Uint8Array(film), new Uint8Array(space)]);
}

interface Smoked {
  /** The origin, without `/v1`. */
  readonly apiUrl: string;
  /** Null if the environment has no site. */
  readonly site: SmokedSite | null;
  readonly keys: ApiKeys;
  readonly film: Blob;
  onFinding(finding: Finding): void;
  onProgress(progress: number): void;
}

const tenant = asTenantId('kinora-doctor');
const scopes: readonly Scope[] = [
  ...(['assets:read', 'assets:write', 'jobs:read', 'transcripts:read'] as const),
];
/** The lifetime of the temporary key. It is longer than the test. If the key cannot be revoked, it expires after this time. */
const KEY_LIVES_MS = 3_600_000;

/** Time limits, by stage. They are longer than those of the canary, because the film is longer, and functions and the network may be slow. */
const patienceMs: Readonly<Record<MainStage, number>> = {
  ...limitsMs,
  Upload: 300_000,
  Processing: 900_000,
  Delete: 180_000,
};

export async function smokeTest(smoked: Smoked): Promise<Finding[]> {
  const { apiUrl, site, film, onFinding, onProgress } = smoked;
  const steps = new Steps(onFinding);
  await steps.all(site === null ? [] : siteSteps(site));
  const isUp = await steps.take('Errors', () => explainsItself(apiUrl, site));
  if (!isUp) return steps.findings;
  await withKey(smoked, steps, async (apiKey) => {
    const kinora = new Kinora({ url: apiUrl, apiKey });
    const filename = 'kinora-doctor.mp4';
    const job = new MainJob({
      kinora,
      media: film,
      filename,
      partBytes: PART_BYTES,
      lookMs: 1000,
      onProgress,
    });
    await steps.all(
      mainStages.map((stage) => [
        stage,
        () => withTimeLimit(patienceMs[stage], (signal) => job.take(stage, signal)),
      ]),
    );
    // Deletes the upload even if a stage failed.
    await withTimeLimit(patienceMs.Create, (signal) => job.abandon(signal)).catch(() => 'already reported');
  });
  return steps.findings;
}

/** Sends a request without a key. The type of the returned problem must be the address of its explanation. */
async function explainsItself(apiUrl: string, site: SmokedSite | null): Promise<string> {
  const response = await fetch(`${apiUrl}/v1/assets`);
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  if (response.status !== 401 || !isProblem)
    throw new Failure(
      `${apiUrl}/v1/assets answers ${response.status} to a request without a key, not 401 with a problem`,
      'docs/runbooks.md, "API server errors". A new domain may not resolve for some minutes.',
    );
  const { type } = (await response.json()) as ProblemBody;
  // If the environment has no public site, the explanation may belong to another deployment or need a token.
  if (site === null || !site.isPublic) return `they point to ${type}`;
  const page = await fetch(type, { headers: { Accept: 'text/html' } });
  if (page.status === 200) return `${type} explains them`;
  throw new Failure(
    `the problem points to ${type}, which answers ${page.status}`,
    'API and site belong to different deployments: deploy both with npm run deploy.',
  );
}

async function withKey(
  { keys }: Smoked,
  steps: Steps,
  use: (apiKey: string) => Promise<void>,
): Promise<void> {
  let made: Awaited<ReturnType<ApiKeys['create']>> | undefined;
  const expiresAt = new Date(Date.now() + KEY_LIVES_MS).toISOString();
  const isMade = await steps.take('Key', async () => {
    made = await keys.create({ tenant, scopes, mode: 'test', name: 'npm run doctor', expiresAt });
    return `${made.key.id} of the tenant ${tenant}`;
  });
  if (!isMade) return;
  try {
    await use(defined(made).text);
  } finally {
    await steps.take('Key', async () => {
      await keys.revoke(defined(made).key.id);
      return `${defined(made).key.id} is revoked`;
    });
  }
}

export type Place = Omit<Smoked, 'onFinding' | 'onProgress'>;

/** Returns null if nothing is deployed. */
export async function deployedPlace({ target, regions }: Subject): Promise<Place | null> {
  const stacks = await stacksOf(target, regions);
  if (stacks.length === 0) return null;
  const { ApiUrl, SiteUrl, AuthTable } = outputsOf(stacks);
  if (ApiUrl === undefined || AuthTable === undefined)
    throw new Failure(
      `The stacks of ${target.name} have no outputs ${ApiUrl === undefined ? 'ApiUrl' : 'AuthTable'}`,
      `Deploy all stacks: npm run deploy -- ${target.name}`,
    );
  return {
    apiUrl: ApiUrl,
    site:
      SiteUrl === undefined ? null : { url: SiteUrl, isPublic: target.environment.site.access === 'public' },
    keys: new ApiKeys(itemAt(regions, 0).dynamoDb, AuthTable),
    film: withSpace(demoFilm()),
  };
}

export function localPlace(ready: Ready): Place {
  const client = new DynamoDBClient({ ...accessTo(ready), endpoint: ready.dynamodb_url });
  return {
    apiUrl: ready.api_url,
    site: { url: ready.site_url, isPublic: true },
    keys: new ApiKeys(client, ready.auth_table),
    film: withSpace(demoFilm()),
  };
}
