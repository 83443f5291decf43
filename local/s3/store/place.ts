/** The folders of a bucket, and the data files, which all buckets share. */
import type { DataFiles } from './data-files.ts';

export type BucketPlace = { directory: string; scratch: string; data: DataFiles };
