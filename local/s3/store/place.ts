/** The folders of a bucket, and the data files that all buckets share. */

import type { DataFiles } from './data-files.ts';

export type BucketPlace = { directory: string; scratch: string; data: DataFiles };
