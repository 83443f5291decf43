// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the notation of policy variables
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthorizer } from '../../iam/authorizer.ts';
import { type Access, evaluate } from '../../iam/evaluate.ts';
import type { Context } from '../../iam/patterns.ts';
import { compilePolicy, type StatementDocument } from '../../iam/policy.ts';
import type { Principal } from '../../iam/principals.ts';

const account = '000000000000';
const roleArn = `arn:aws:iam::${account}:role/Reader`;
const principal: Principal = {
  arn: `arn:aws:sts::${account}:assumed-role/Reader/one`,
  roleArn,
  account,
};
const item = `arn:aws:dynamodb:us-east-1:${account}:table/Core`;
const object = 'arn:aws:s3:::media/t/acme/a';

const read: Access = { action: 's3:GetObject', resource: object, context: {} };
const allow = (more: StatementDocument = {}): StatementDocument => ({
  Effect: 'Allow',
  Action: 's3:GetObject',
  Resource: '*',
  ...more,
});
const deny = (more: StatementDocument = {}) => allow({ Effect: 'Deny', ...more });

interface Given {
  identity?: StatementDocument[];
  resource?: StatementDocument[];
  session?: StatementDocument[][];
  isCrossAccount?: boolean;
}

const decided = (
  { identity = [], resource = [], session = [], isCrossAccount = false }: Given,
  access = read,
) =>
  evaluate(access, principal, {
    identity: compilePolicy('identity', { Statement: identity }),
    resource: compilePolicy('resource', { Statement: resource }),
    session: session.map((Statement) => compilePolicy('session', { Statement })),
    isCrossAccount,
  });
const isAllowed = (given: Given, access = read) => decided(given, access).isAllowed;

// IAM User Guide, "Determining whether a request is allowed or denied within an account".
describe('an authorization decision', () => {
  it.each<[what: string, Given, expected: boolean]>([
    ['without a policy', {}, false],
    ['that an identity-based policy allows', { identity: [allow()] }, true],
    ['that another statement denies', { identity: [allow(), deny()] }, false],
    ['that the policy of the resource allows', { resource: [allow({ Principal: { AWS: roleArn } })] }, true],
    [
      'that the policy of the resource allows to another principal',
      { resource: [allow({ Principal: { AWS: '111111111111' } })] },
      false,
    ],
    [
      'that the policy of the resource denies to everyone',
      { identity: [allow()], resource: [deny({ Principal: '*' })] },
      false,
    ],
    [
      'that the policy of the resource denies to all others with NotPrincipal, which is not supported',
      { identity: [allow()], resource: [deny({ NotPrincipal: { AWS: roleArn } })] },
      false,
    ],
    [
      'that the policy of the resource allows to the session itself',
      { resource: [allow({ Principal: { AWS: principal.arn } })], session: [[]] },
      true,
    ],
    [
      'that the policy of the resource allows to the role, but not the session policy',
      { resource: [allow({ Principal: { AWS: roleArn } })], session: [[]] },
      false,
    ],
    ['from another account, allowed by one account', { identity: [allow()], isCrossAccount: true }, false],
    [
      'from another account, allowed by both accounts',
      { identity: [allow()], resource: [allow({ Principal: '*' })], isCrossAccount: true },
      true,
    ],
    ['that the session policy also allows', { identity: [allow()], session: [[allow()]] }, true],
    [
      'that the session policy does not allow',
      { identity: [allow()], session: [[allow({ Action: 's3:Put*' })]] },
      false,
    ],
    ['that only the session policy allows', { session: [[allow()]] }, false],
    [
      'that only one of two session policies allows',
      { identity: [allow()], session: [[allow()], []] },
      false,
    ],
  ])('is correct for a request %s', (_, given, expected) => {
    expect(isAllowed(given)).toBe(expected);
  });

  it('names every statement that would allow the request without the others', () => {
    const decision = decided({ identity: [allow(), allow({ Action: 's3:Put*' }), allow({ Action: '*' })] });
    expect(decision).toMatchObject({
      isAllowed: true,
      statements: [{ id: 'identity.0' }, { id: 'identity.2' }],
    });
  });

  const anyStatement = fc.record({
    Effect: fc.constantFrom('Allow', 'Deny'),
    Action: fc.constantFrom('s3:GetObject', 's3:*', 's3:PutObject', '*'),
    Resource: fc.constantFrom('*', object, 'arn:aws:s3:::other/*', 'arn:aws:s3:::media/t/*'),
  });
  const statements = fc.array(anyStatement, { maxLength: 6 });

  it('does not depend on the order of the statements', () => {
    fc.assert(
      fc.property(statements, (identity) => {
        expect(isAllowed({ identity: identity.toReversed() })).toBe(isAllowed({ identity }));
      }),
    );
  });

  it('is a denial if one statement denies it; further Deny statements and session policies never allow more', () => {
    fc.assert(
      fc.property(statements, anyStatement, (identity, other) => {
        expect(isAllowed({ identity: [...identity, deny()] })).toBe(false);
        const before = isAllowed({ identity });
        if (!before) expect(isAllowed({ identity: [...identity, { ...other, Effect: 'Deny' }] })).toBe(false);
        if (!before) expect(isAllowed({ identity, session: [[other]] })).toBe(false);
      }),
    );
  });
});

describe('whether a statement matches a request', () => {
  it.each<[StatementDocument, Partial<Access>, boolean]>([
    [{ Action: 'S3:getobject' }, {}, true],
    [{ Action: 's3:Get*' }, {}, true],
    [{ Action: 's3:Get?' }, {}, false],
    [{ Action: ['s3:PutObject', 's3:GetObject'] }, {}, true],
    [{ Action: undefined as never, NotAction: 's3:Put*' }, {}, true],
    [{ Action: undefined as never, NotAction: 's3:Get*' }, {}, false],
    [{ Resource: object }, {}, true],
    [{ Resource: object.toUpperCase() }, {}, false],
    [{ Resource: 'arn:aws:s3:::media/t/*' }, {}, true],
    [{ Resource: 'arn:aws:s3:::media' }, {}, false],
    [{ Resource: 'arn:aws:s3:::media/?/acme/a' }, {}, true],
    // A `*` at the end of a segment also matches colons, and missing segments count as `*`.
    ...['arn:*', 'arn:aws:s3', 'arn:aws:s3:*', 'arn:aws:*:media/t/*', '**'].map(
      (Resource): [StatementDocument, Partial<Access>, boolean] => [{ Resource }, {}, true],
    ),
    // Other wildcards match only within their segment.
    [
      { Resource: 'arn:aws:d*b:table/Core', Action: '*' },
      { action: 'dynamodb:GetItem', resource: item },
      false,
    ],
    [
      { Resource: 'arn:aws:*:*:*:table/C*', Action: '*' },
      { action: 'dynamodb:GetItem', resource: item },
      true,
    ],
    [{ Resource: undefined as never, NotResource: 'arn:aws:s3:::other/*' }, {}, true],
    [{ Resource: undefined as never, NotResource: 'arn:aws:s3:::media/*' }, {}, false],
    [{ Resource: 'arn:aws:s3:::media/t/${aws:PrincipalTag/tenant}/*' }, {}, false],
    [
      { Resource: 'arn:aws:s3:::media/t/${aws:PrincipalTag/tenant}/*' },
      { context: { 'aws:principaltag/tenant': ['acme'] } },
      true,
    ],
    [{ Resource: "arn:aws:s3:::media/t/${aws:PrincipalTag/tenant, 'acme'}/*" }, {}, true],
    [{ Effect: 'Maybe' }, {}, false],
  ])('statement %j, request %j: %s', (statement, access, expected) => {
    const given = Object.fromEntries(
      Object.entries(allow(statement)).filter(([, value]) => value !== undefined),
    );
    expect(isAllowed({ identity: [given] }, { ...read, ...access })).toBe(expected);
  });
});

it.each<[what: string, StatementDocument]>([
  ['without Action', { Resource: '*' }],
  ['with a misspelled element', { Actions: 's3:GetObject', Resource: '*' } as StatementDocument],
  ['with Action and NotAction', { Action: '*', NotAction: 's3:Put*', Resource: '*' }],
  ['without Resource and Principal', { Action: '*' }],
  ['with Resource and NotResource', { Action: '*', Resource: '*', NotResource: item }],
])('a statement %s allows nothing, and denies', (_, statement) => {
  expect(isAllowed({ identity: [{ Effect: 'Allow', ...statement }] })).toBe(false);
  expect(isAllowed({ identity: [allow(), { Effect: 'Deny', ...statement }] })).toBe(false);
});

// IAM User Guide, "IAM JSON policy elements: Condition operators" and "Set operators for multivalued context keys".
describe('whether a condition holds', () => {
  const holds = (condition: StatementDocument['Condition'], context: Context) =>
    isAllowed({ identity: [allow({ Condition: condition! })] }, { ...read, context });
  const keys = 'dynamodb:LeadingKeys';
  const leading = (...values: string[]) => ({ 'dynamodb:leadingkeys': values });

  it.each<[StatementDocument['Condition'], Context, boolean]>([
    [{ StringEquals: { 's3:prefix': 't/' } }, { 's3:prefix': ['t/'] }, true],
    [{ StringEquals: { 's3:prefix': 'T/' } }, { 's3:prefix': ['t/'] }, false],
    [{ StringEqualsIgnoreCase: { 'S3:Prefix': 'T/' } }, { 's3:prefix': ['t/'] }, true],
    [{ StringLike: { 's3:prefix': ['a/*', 't/*'] } }, { 's3:prefix': ['t/acme'] }, true],
    [{ StringLike: { 's3:prefix': 't/*' } }, {}, false],
    [{ StringLikeIfExists: { 's3:prefix': 't/*' } }, {}, true],
    [{ StringNotEquals: { 's3:prefix': ['a', 'b'] } }, { 's3:prefix': ['b'] }, false],
    [{ StringNotEquals: { 's3:prefix': ['a', 'b'] } }, { 's3:prefix': ['c'] }, true],
    [{ StringNotLike: { 's3:prefix': 't/*' } }, {}, true],
    [{ ArnLike: { 'aws:SourceArn': 'arn:aws:s3:::*' } }, { 'aws:sourcearn': ['arn:aws:s3:::media'] }, true],
    [
      { ArnNotLike: { 'aws:SourceArn': 'arn:aws:s3:::*' } },
      { 'aws:sourcearn': ['arn:aws:s3:::media'] },
      false,
    ],
    [{ ArnLike: { 'aws:SourceArn': 'arn:aws:*' } }, { 'aws:sourcearn': ['arn:aws:s3:::media'] }, false],
    [{ Bool: { 'aws:SecureTransport': 'false' } }, { 'aws:securetransport': ['true'] }, false],
    [{ Bool: { 'aws:SecureTransport': true } }, { 'aws:securetransport': ['true'] }, true],
    [{ Null: { 's3:prefix': 'true' } }, {}, true],
    [{ Null: { 's3:prefix': 'false' } }, {}, false],
    [{ Null: { 's3:prefix': 'false' } }, { 's3:prefix': ['x'] }, true],
    [{ Null: { [keys]: 'false' } }, leading(), false],
    [{ NumericLessThan: { 's3:TlsVersion': '1.2' } }, { 's3:tlsversion': ['1.3'] }, false],
    [{ NumericLessThanEquals: { 's3:max-keys': 10 } }, { 's3:max-keys': ['10'] }, true],
    [{ NumericLessThanEquals: { 's3:max-keys': 10 } }, { 's3:max-keys': [''] }, false],
    [
      { DateLessThan: { 'aws:CurrentTime': '2030-01-01T00:00:00Z' } },
      { 'aws:currenttime': ['2026-01-01'] },
      true,
    ],
    [{ 'ForAllValues:StringLike': { [keys]: ['T#*'] } }, leading('T#a', 'T#b'), true],
    [{ 'ForAllValues:StringLike': { [keys]: ['T#*'] } }, leading('T#a', 'ADMIN#'), false],
    [{ 'ForAllValues:StringLike': { [keys]: ['T#*', 'ADMIN#*'] } }, leading('T#a', 'ADMIN#'), true],
    // Without values it holds: Null has to be added where this matters.
    [{ 'ForAllValues:StringLike': { [keys]: ['T#*'] } }, {}, true],
    [{ 'ForAnyValue:StringLike': { [keys]: ['T#*'] } }, leading('x', 'T#b'), true],
    [{ 'ForAnyValue:StringLike': { [keys]: ['T#*'] } }, {}, false],
    [{ 'ForAnyValue:StringNotLike': { [keys]: ['T#*'] } }, leading('T#a', 'x'), true],
    [{ 'ForAllValues:StringNotLike': { [keys]: ['T#*'] } }, leading('T#a', 'x'), false],
    [
      { StringEquals: { 'kms:EncryptionContext:tenant': 'acme' }, Null: { 's3:prefix': 'true' } },
      { 'kms:encryptioncontext:tenant': ['acme'] },
      true,
    ],
    [
      { StringEquals: { 's3:prefix': '${aws:PrincipalAccount}' } },
      { 's3:prefix': ['x'], 'aws:principalaccount': ['x'] },
      true,
    ],
  ])('%j for the values %j: %s', (condition, context, expected) => {
    expect(holds(condition, context)).toBe(expected);
  });

  it.each([
    { StringResembles: { 's3:prefix': 'x' } },
    { StringEquals: { 'aws:MultiFactorAuthAge': 'x' } },
    { StringNotEquals: { 'ec2:Vpc': 'x' } },
  ])('denies the request if the condition is unknown here: %j', (Condition) => {
    expect(isAllowed({ identity: [allow({ Condition })] })).toBe(false);
    expect(isAllowed({ identity: [allow(), deny({ Condition })] })).toBe(false);
  });
});

describe('an AccessDenied error', () => {
  const authorizer = (Statement: StatementDocument[]) =>
    createAuthorizer({
      account,
      roles: [
        {
          logicalId: 'Reader',
          arn: roleArn,
          trustPolicy: {},
          policies: [{ id: 'Own', document: { Statement } }],
        },
      ],
      resourcePolicies: [{ id: 'Media', resource: 'arn:aws:s3:::media', document: {} }],
    });
  const caller = { roleArn, sessionName: 'one' };
  const user = `User: ${principal.arn} is not authorized to perform:`;

  it.each<[StatementDocument[], object, Access, string]>([
    [
      [],
      {},
      { action: 'dynamodb:GetItem', resource: item, context: {} },
      `dynamodb:GetItem on resource: ${item} because no identity-based policy allows the dynamodb:GetItem action`,
    ],
    [
      [deny({ Action: '*' })],
      {},
      { action: 'dynamodb:GetItem', resource: item, context: {} },
      `dynamodb:GetItem on resource: ${item} with an explicit deny in an identity-based policy`,
    ],
    [
      [],
      {},
      read,
      `s3:GetObject on resource: "${object}" because no identity-based policy allows the s3:GetObject action`,
    ],
    [
      [allow()],
      { sessionPolicies: [{}] },
      read,
      `s3:GetObject on resource: "${object}" because no session policy allows the s3:GetObject action`,
    ],
    [
      [allow()],
      { roleArn: 'arn:aws:iam::111111111111:role/Other', rolePolicy: { Statement: [allow()] } },
      read,
      'because no resource-based policy allows the s3:GetObject action',
    ],
  ])('has the message of AWS for the statements %j', (statements, more, access, message) => {
    const denied = () => authorizer(statements).authorize({ ...caller, ...more }, [access]);
    expect(denied).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }));
    if (!('roleArn' in more)) expect(denied).toThrow(user);
  });
});
