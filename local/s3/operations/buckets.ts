import { receiveText } from '../body/receive.ts';
import { S3Error } from '../errors.ts';
import { childText, parseXml } from '../xml.ts';
import { bucketOf, type Operation, xmlResponse } from './operation.ts';

const MAX_CONFIGURATION_BYTES = 64 * 1024;

export const createBucket: Operation = async ({ request, payload, store, region }) => {
  const hasBody =
    request.sentHeaders.get('content-length') !== '0' && request.sentHeaders.has('content-length');
  if (hasBody) {
    const configuration = parseXml(await receiveText(request, payload, MAX_CONFIGURATION_BYTES));
    if (configuration?.name !== 'CreateBucketConfiguration') throw new S3Error('MalformedXML');
    const location = childText(configuration, 'LocationConstraint');
    if (location && location !== region) {
      throw new S3Error('InvalidArgument', `This server's only region is ${region}`, {
        LocationConstraint: location,
      });
    }
  }
  await store.createBucket({ name: request.bucket! });
  return { status: 200, headers: { Location: `/${request.bucket}` } };
};

export const headBucket: Operation = async (context) => {
  bucketOf(context);
  return { status: 200, headers: { 'x-amz-bucket-region': context.region } };
};

export const listBuckets: Operation = async ({ store }) =>
  xmlResponse('ListAllMyBucketsResult', {
    Owner: { ID: 'local' },
    Buckets: {
      Bucket: store.buckets().map(({ spec, created }) => ({
        Name: spec.name,
        CreationDate: new Date(created).toISOString(),
      })),
    },
  });
