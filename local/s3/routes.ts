/** Which operation a request means: its method, what it addresses and which parameters it has. */

import { S3Error } from './errors.ts';
import { OVERRIDES } from './object-headers.ts';
import { createBucket, headBucket, listBuckets } from './operations/buckets.ts';
import { completeMultipartUpload } from './operations/complete-upload.ts';
import { copyObject } from './operations/copy-object.ts';
import { deleteObject, deleteObjects, deleteVersion } from './operations/delete-object.ts';
import { listObjects } from './operations/list-objects.ts';
import { listMultipartUploads, listParts } from './operations/list-uploads.ts';
import { listObjectVersions } from './operations/list-versions.ts';
import {
  abortMultipartUpload,
  createMultipartUpload,
  uploadPart,
  uploadPartCopy,
} from './operations/multipart.ts';
import type { Operation } from './operations/operation.ts';
import { putObject } from './operations/put-object.ts';
import { getObject, headObject } from './operations/read-object.ts';
import { deleteObjectTagging, getObjectTagging, putObjectTagging } from './operations/tagging.ts';
import type { S3Request } from './request.ts';

type Route = {
  method: string;
  on: 'service' | 'bucket' | 'object';
  run: Operation;
  /** Parameters that make it this operation. */
  needs?: string[];
  /** Parameters that it acts on. */
  takes?: string[];
  /** Whether x-amz-copy-source is there. */
  copies?: boolean;
  /** What a policy has to allow to whoever comes in a role; without one it is not done for roles. */
  action?: string;
};

const listing = ['prefix', 'delimiter', 'encoding-type'];
const objectsPage = [...listing, 'continuation-token', 'start-after', 'max-keys', 'fetch-owner'];
const uploadsPage = [...listing, 'key-marker', 'upload-id-marker', 'max-uploads'];
const versionsPage = ['prefix', 'encoding-type', 'key-marker', 'version-id-marker', 'max-keys'];
const partsPage = ['part-number-marker', 'max-parts', 'encoding-type'];
const partQuery = ['uploadId', 'partNumber'];

const routes: Route[] = [
  { method: 'GET', on: 'service', run: listBuckets },
  { method: 'PUT', on: 'bucket', run: createBucket },
  { method: 'HEAD', on: 'bucket', run: headBucket },
  { method: 'GET', on: 'bucket', needs: ['list-type'], takes: objectsPage, run: listObjects },
  { method: 'GET', on: 'bucket', needs: ['uploads'], takes: uploadsPage, run: listMultipartUploads },
  { method: 'GET', on: 'bucket', needs: ['versions'], takes: versionsPage, run: listObjectVersions },
  { method: 'POST', on: 'bucket', needs: ['delete'], run: deleteObjects },
  { method: 'GET', on: 'object', takes: OVERRIDES, run: getObject, action: 's3:GetObject' },
  { method: 'HEAD', on: 'object', takes: OVERRIDES, run: headObject, action: 's3:GetObject' },
  { method: 'GET', on: 'object', needs: ['versionId'], takes: OVERRIDES, run: getObject },
  { method: 'DELETE', on: 'object', needs: ['versionId'], run: deleteVersion },
  { method: 'PUT', on: 'object', run: putObject, action: 's3:PutObject' },
  { method: 'PUT', on: 'object', copies: true, run: copyObject },
  { method: 'DELETE', on: 'object', run: deleteObject },
  { method: 'GET', on: 'object', needs: ['tagging'], run: getObjectTagging },
  { method: 'PUT', on: 'object', needs: ['tagging'], run: putObjectTagging },
  { method: 'DELETE', on: 'object', needs: ['tagging'], run: deleteObjectTagging },
  { method: 'POST', on: 'object', needs: ['uploads'], run: createMultipartUpload, action: 's3:PutObject' },
  { method: 'PUT', on: 'object', needs: partQuery, run: uploadPart, action: 's3:PutObject' },
  { method: 'PUT', on: 'object', needs: partQuery, copies: true, run: uploadPartCopy },
  { method: 'GET', on: 'object', needs: ['uploadId'], takes: partsPage, run: listParts },
  { method: 'POST', on: 'object', needs: ['uploadId'], run: completeMultipartUpload, action: 's3:PutObject' },
  {
    method: 'DELETE',
    on: 'object',
    needs: ['uploadId'],
    run: abortMultipartUpload,
    action: 's3:AbortMultipartUpload',
  },
];

/** Throws NotImplemented: a request that asks for more than an operation here does is never half done. */
export function routeOf(request: S3Request): Pick<Route, 'run' | 'action'> {
  const on = request.bucket === undefined ? 'service' : request.key === undefined ? 'bucket' : 'object';
  const copies = request.header('x-amz-copy-source') !== undefined;
  // S3 ignores parameters that begin with `x-`; those of a signature begin with `X-Amz-`.
  const names = request.query.map(([name]) => name).filter((name) => !name.toLowerCase().startsWith('x-'));
  const route = routes.find(
    ({ method, on: level, needs = [], takes = [], copies: routeCopies = false }) =>
      method === request.method &&
      level === on &&
      routeCopies === copies &&
      needs.every((name) => names.includes(name)) &&
      names.every((name) => needs.includes(name) || takes.includes(name)),
  );
  if (!route) throw new S3Error('NotImplemented');
  return route;
}
