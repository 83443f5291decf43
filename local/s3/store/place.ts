/** Where a bucket lives, what it shares with the others, and where drafts of documents are written. */

import type { DataFiles } from './data-files.ts';

export type BucketPlace = { directory: string; scratch: string; data: DataFiles };
