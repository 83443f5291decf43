/** Finds the operation of a request by its method, target and parameters. */
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
  /** The name of the operation in the API reference. */
  name: string;
  run: Operation;
  /** The parameters that a request for this operation must have. */
  needs?: string[];
  /** The other parameters that the operation supports. */
  takes?: string[];
  /** Whether the request must have the header x-amz-copy-source. */
  copies?: boolean;
};

const listing = ['prefix', 'delimiter', 'encoding-type'];
const objectsPage = [...listing, 'continuation-token', 'start-after', 'max-keys', 'fetch-owner'];
const uploadsPage = [...listing, 'key-marker', 'upload-id-marker', 'max-uploads'];
const versionsPage = ['prefix', 'encoding-type', 'key-marker', 'version-id-marker', 'max-keys'];
const partsPage = ['part-number-marker', 'max-parts', 'encoding-type'];
const partQuery = ['uploadId', 'partNumber'];

const routes: Route[] = [
  { method: 'GET', on: 'service', run: listBuckets, name: 'ListBuckets' },
  { method: 'PUT', on: 'bucket', run: createBucket, name: 'CreateBucket' },
  { method: 'HEAD', on: 'bucket', run: headBucket, name: 'HeadBucket' },
  {
    method: 'GET',
    on: 'bucket',
    needs: ['list-type'],
    takes: objectsPage,
    run: listObjects,
    name: 'ListObjectsV2',
  },
  {
    method: 'GET',
    on: 'bucket',
    needs: ['uploads'],
    takes: uploadsPage,
    run: listMultipartUploads,
    name: 'ListMultipartUploads',
  },
  {
    method: 'GET',
    on: 'bucket',
    needs: ['versions'],
    takes: versionsPage,
    run: listObjectVersions,
    name: 'ListObjectVersions',
  },
  { method: 'POST', on: 'bucket', needs: ['delete'], run: deleteObjects, name: 'DeleteObjects' },
  { method: 'GET', on: 'object', takes: OVERRIDES, run: getObject, name: 'GetObject' },
  { method: 'HEAD', on: 'object', takes: OVERRIDES, run: headObject, name: 'HeadObject' },
  { method: 'GET', on: 'object', needs: ['versionId'], takes: OVERRIDES, run: getObject, name: 'GetObject' },
  { method: 'DELETE', on: 'object', needs: ['versionId'], run: deleteVersion, name: 'DeleteObject' },
  { method: 'PUT', on: 'object', run: putObject, name: 'PutObject' },
  { method: 'PUT', on: 'object', copies: true, run: copyObject, name: 'CopyObject' },
  { method: 'DELETE', on: 'object', run: deleteObject, name: 'DeleteObject' },
  { method: 'GET', on: 'object', needs: ['tagging'], run: getObjectTagging, name: 'GetObjectTagging' },
  { method: 'PUT', on: 'object', needs: ['tagging'], run: putObjectTagging, name: 'PutObjectTagging' },
  {
    method: 'DELETE',
    on: 'object',
    needs: ['tagging'],
    run: deleteObjectTagging,
    name: 'DeleteObjectTagging',
  },
  {
    method: 'POST',
    on: 'object',
    needs: ['uploads'],
    run: createMultipartUpload,
    name: 'CreateMultipartUpload',
  },
  { method: 'PUT', on: 'object', needs: partQuery, run: uploadPart, name: 'UploadPart' },
  {
    method: 'PUT',
    on: 'object',
    needs: partQuery,
    copies: true,
    run: uploadPartCopy,
    name: 'UploadPartCopy',
  },
  { method: 'GET', on: 'object', needs: ['uploadId'], takes: partsPage, run: listParts, name: 'ListParts' },
  {
    method: 'POST',
    on: 'object',
    needs: ['uploadId'],
    run: completeMultipartUpload,
    name: 'CompleteMultipartUpload',
  },
  {
    method: 'DELETE',
    on: 'object',
    needs: ['uploadId'],
    run: abortMultipartUpload,
    name: 'AbortMultipartUpload',
  },
];

/** Finds the operation. Throws NotImplemented if the request has a parameter that the operation does not support. */
export function routeOf(request: S3Request): Pick<Route, 'run' | 'name'> {
  const on = request.bucket === undefined ? 'service' : request.key === undefined ? 'bucket' : 'object';
  const copies = request.header('x-amz-copy-source') !== undefined;
  // S3 ignores parameters that begin with `x-`. Parameters of a signature begin with `X-Amz-`.
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
