/** Tests a running environment: the site's pages, the page of an error, and the main job with a temporary key. */
import { Kinora, type ProblemBody } from '../../../client/index.ts';
import type { Scope } from '../../../contract/kit/scopes.ts';
import { MainJob } from '../../../lambdas/canary/actions/main-job.ts';
import { withTimeLimit } from '../../../lambdas/canary/actions/run-with-time-limit.ts';
import { limitsMs, type MainStage, mainStages } from '../../../lambdas/canary/rules/stages.ts';
import type { ApiKeys } from '../../../platform/records/api-keys.ts';
import { asTenantId } from '../../../shared/tenant.ts';
import { Failure } from '../../deployment/failure.ts';
import type { Finding } from '../finding.ts';
import { PART_BYTES } from './media.ts';
import { type SmokedSite, siteSteps } from './site.ts';
import { Steps } from './steps.ts';

export interface Smoked {
  /** Origin, without `/v1`. */
  readonly apiUrl: string;
  /** Null if the environment has no site. */
  readonly site: SmokedSite | null;
  readonly keys: ApiKeys;
  readonly film: Blob;
  onFinding(finding: Finding): void;
  onProgress(progress: number): void;
}

/** The tenant of the test. */
const tenant = asTenantId('kinora-doctor');
const scopes: readonly Scope[] = [
  ...(['assets:read', 'assets:write', 'jobs:read', 'transcripts:read'] as const),
];
/** Longer than the test takes. The key expires even if it cannot be revoked. */
const KEY_LIVES_MS = 3_600_000;

/**
 * Longer than the canary's limits: a film of a minute in several parts, over the user's own network, with cold functions.
 */
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
    // Deletes the upload in any case.
    await withTimeLimit(patienceMs.Create, (signal) => job.abandon(signal)).catch(() => 'already reported');
  });
  return steps.findings;
}

/** A request without a key must answer a problem whose type is the address of its explanation. */
async function explainsItself(apiUrl: string, site: SmokedSite | null): Promise<string> {
  const response = await fetch(`${apiUrl}/v1/assets`);
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  if (response.status !== 401 || !isProblem)
    throw new Failure({
      says: `${apiUrl}/v1/assets answers ${response.status} to a request without a key, not 401 with a problem`,
      cure: 'docs/runbooks.md, "API server errors". A new domain may not resolve for some minutes.',
    });
  const { type } = (await response.json()) as ProblemBody;
  // Without a public site of its own, the explanation may belong to another deployment or need a token.
  if (site === null || !site.isPublic) return `they point to ${type}`;
  const page = await fetch(type, { headers: { Accept: 'text/html' } });
  if (page.status === 200) return `${type} explains them`;
  throw new Failure({
    says: `the problem points to ${type}, which answers ${page.status}`,
    cure: 'API and site belong to different deployments: deploy both with npm run deploy.',
  });
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
    await use(made!.text);
  } finally {
    await steps.take('Key', async () => {
      await keys.revoke(made!.key.id);
      return `${made!.key.id} is revoked`;
    });
  }
}
