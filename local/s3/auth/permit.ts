/** Checks the permissions of roles for S3. */
import { AccessDenied, type Authorizer } from '../../iam/authorizer.ts';
import type { Access } from '../../iam/evaluate.ts';
import type { Session } from '../../iam/principals.ts';
import { S3Error } from '../errors.ts';
import { readCopySource } from '../operations/copy-source.ts';
import type { S3Request } from '../request.ts';
import { tagsInHeader } from '../tags.ts';
import { permissionsOfS3, permissionToList } from './permissions.ts';

/** Checks the permissions for one request. The operator may do everything. */
export type Permit = {
  /** @throws S3Error AccessDenied if the role lacks a permission */
  require(accesses: readonly Access[]): void;
  /** Returns the error for the caller: AccessDenied for a missing object if the caller may not list the bucket ("HeadObject"). */
  shown(error: unknown, request: S3Request): unknown;
};

export const operatorsPermit: Permit = { require: () => {}, shown: (error) => error };

export function permitOf(session: Session, authorizer: Authorizer): Permit {
  const require = (accesses: readonly Access[]) => {
    try {
      authorizer.authorize(session, accesses);
    } catch (error) {
      throw error instanceof AccessDenied ? new S3Error('AccessDenied', error.message) : error;
    }
  };
  return {
    require,
    shown(error, request) {
      const isMissing = error instanceof S3Error && error.code === 'NoSuchKey';
      if (!isMissing) return error;
      try {
        const { bucket } = isCopy(request) ? readCopySource(request) : request;
        require(permissionToList(bucket ?? ''));
        return error;
      } catch (denied) {
        return denied;
      }
    },
  };
}

const isCopy = (request: S3Request): boolean => request.header('x-amz-copy-source') !== undefined;

/** @param name the name of the operation in the API */
export function permissionsOfRequest(name: string, request: S3Request): Access[] {
  // The tags are in the body, so the operation itself checks the permission.
  if (name === 'PutObjectTagging') return [];
  const { bucket, key } = request;
  const parameter = (parameterName: string) => request.parameter(parameterName);
  const versionId = parameter('versionId');
  const isWithTags = !isCopy(request) || request.header('x-amz-tagging-directive') === 'REPLACE';
  const [prefix, delimiter, maxKeys] = [parameter('prefix'), parameter('delimiter'), parameter('max-keys')];
  return permissionsOfS3({
    name,
    ...(bucket !== undefined && { bucket }),
    ...(key !== undefined && { key }),
    ...(versionId !== undefined && { versionId }),
    ...(isCopy(request) && { source: readCopySource(request) }),
    ...(isWithTags && request.header('x-amz-tagging') !== undefined && { tags: tagsInHeader(request) }),
    ...(prefix !== undefined && { prefix }),
    ...(delimiter !== undefined && { delimiter }),
    ...(maxKeys !== undefined && { maxKeys }),
  });
}
