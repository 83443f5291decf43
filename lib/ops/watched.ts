/** The stacks that alarms and the dashboard watch. */
import type { ApiStack } from '../api/api-stack.ts';
import type { DataStack } from '../data/data-stack.ts';
import type { JobsStack } from '../jobs/jobs-stack.ts';
import type { SiteStack } from '../site/site-stack.ts';
import type { SiteWatchStack } from '../site/site-watch-stack.ts';

export interface Watched {
  readonly data: DataStack;
  readonly jobs: JobsStack;
  readonly api: ApiStack;
  /** Both are absent if the environment has no site. */
  readonly site?: SiteStack;
  readonly siteWatch?: SiteWatchStack;
}
