/** The calls of the platform to S3, which stores media. The platform does not change their errors. */
import * as sdk from '@aws-sdk/client-s3';
import { MediaObjects } from '../../../platform/objects/media-objects.ts';
import { asTenantId } from '../../../shared/ids.ts';
import { type Answering, type Call, ownFates, type Service } from './calls.ts';
import { type Answer, driving } from './wire.ts';

const service: Service = {
  name: 's3',
  sdk,
  form: 's3',
  // The codes of "List of error codes" in the API reference of S3 that these requests can cause.
  common: {
    AccessDenied: 403,
    InternalError: 500,
    NoSuchBucket: 404,
    ServiceUnavailable: 503,
    SlowDown: 503,
  },
  fates: {
    ...ownFates,
    AccessDenied: 'its own',
    EncryptionTypeMismatch: 'its own',
    InternalError: 'passing',
    InvalidObjectState: 'its own',
    InvalidRequest: 'its own',
    InvalidWriteOffset: 'its own',
    NoSuchBucket: 'its own',
    ObjectNotInActiveTierError: 'its own',
    SlowDown: 'passing',
    TooManyParts: 'its own',
  },
};

const prefix = 't/demo/';
const key = `${prefix}video`;
const file = 'platform/objects/media-objects.ts';

const driven = driving(sdk.S3Client, service);
const row = (
  operation: string,
  answer: Answering,
  work: (objects: MediaObjects) => Promise<unknown>,
  gives: unknown,
  more: Partial<Call> = {},
): Call => ({
  ...{ service, file, operation, gives },
  drive: driven((client) => work(new MediaObjects(client, 'media', asTenantId('demo')))),
  answers: { [operation]: answer },
  ...more,
});

const xml = (element: string, content = ''): Answer => ({ answer: `<${element}>${content}</${element}>` });
/** API_CopyObject, API_CompleteMultipartUpload: "A 200 OK response can contain either a success or an error." */
const lateError = xml(
  'Error',
  '<Code>InternalError</Code><Message>We encountered an internal error.</Message>',
);
const listed = xml('ListBucketResult', `<Contents><Key>${key}</Key></Contents>`);
const nothingListed = xml('ListBucketResult');
const kept = (code: string) => xml('DeleteResult', `<Error><Key>${key}</Key><Code>${code}</Code></Error>`);
/** Lists the object in every answer, until the request continues after this object. */
const keys: Answering = ({ input }) => (input.StartAfter === undefined ? listed : nothingListed);
const bytes = { length: 5 };
const noUploads = xml('ListMultipartUploadsResult');
const gone = { NoSuchUpload: { gives: undefined } } as const;

export const objects: readonly Call[] = [
  row(
    'CreateMultipartUpload',
    xml('InitiateMultipartUploadResult', '<UploadId>u1</UploadId>'),
    (each) => each.createUpload(key),
    'u1',
  ),
  row(
    'ListParts',
    xml('ListPartsResult', '<Part><PartNumber>1</PartNumber><ETag>"1"</ETag><Size>5</Size></Part>'),
    (each) => each.listParts(key, 'u1'),
    [{ part_number: 1, etag: '1', size: 5 }],
    {
      partial: [['an upload that no longer exists', { error: 'NoSuchUpload', status: 404 }, { gives: null }]],
    },
  ),
  row(
    'CompleteMultipartUpload',
    xml('CompleteMultipartUploadResult', '<ETag>"2"</ETag>'),
    (each) => each.completeUpload(key, 'u1', ['1']),
    true,
    {
      partial: [
        ['an upload that is gone', { error: 'NoSuchUpload', status: 404 }, { gives: false }],
        ['an error in an answer with status 200', lateError, 'passing'],
      ],
    },
  ),
  row('AbortMultipartUpload', { answer: '' }, (each) => each.abortUpload(key, 'u1'), undefined, {
    fates: gone,
  }),
  row('HeadObject', { answer: '', headers: { 'content-length': '5' } }, (each) => each.size(key), 5, {
    // The answer to HEAD contains only a status.
    fates: { NotFound: { gives: null }, NoSuchBucket: { gives: null } },
  }),
  row(
    'UploadPart',
    { answer: '', headers: { etag: '"1"' } },
    (each) => each.uploadPart(key, 'u1', { part: 1, body: Buffer.from('a') }),
    '1',
  ),
  row('ListMultipartUploads', noUploads, (each) => each.unfinished(), { uploads: 0, bytes: 0 }),
  row('PutObject', { answer: '' }, (each) => each.write(key, 'text', 'text/plain'), undefined),
  row('CopyObject', xml('CopyObjectResult', '<ETag>"2"</ETag>'), (each) => each.copy(key, `${key}2`), true, {
    partial: [
      ['a missing object', { error: 'NoSuchKey', status: 404 }, { gives: false }],
      ['an error in an answer with status 200', lateError, 'passing'],
    ],
  }),
  row('GetObject', { answer: 'bytes' }, (each) => each.read(key), bytes, {
    fates: { NoSuchKey: { gives: null } },
  }),
  row('ListObjectsV2', keys, (each) => each.keys(prefix), [key]),
  row('DeleteObjects', xml('DeleteResult'), (each) => each.delete(key), undefined, {
    // "Quiet": the answer lists only objects that were not deleted.
    partial: [
      ['an object that it keeps', kept('SlowDown'), 'passing'],
      ['an object that it may not delete', kept('AccessDenied'), 'its own'],
    ],
  }),
];
