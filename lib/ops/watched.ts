/** The stacks that are looked at. */
import type { ApiStack } from '../api/api-stack.ts';
import type { DataStack } from '../data/data-stack.ts';
import type { JobsStack } from '../jobs/jobs-stack.ts';
import type { SiteStack } from '../site/site-stack.ts';
import type { SiteWatchStack } from '../site/site-watch-stack.ts';

/** What alarms and the dashboard look at. */
export interface Watched {
  readonly data: DataStack;
  readonly jobs: JobsStack;
  readonly api: ApiStack;
  /** Both absent where there is no site. */
  readonly site?: SiteStack;
  readonly siteWatch?: SiteWatchStack;
}
