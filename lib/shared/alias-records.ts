/** Route 53 records of names that point to something of AWS, over IPv4 and IPv6. */
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import { pascalCase } from './case.ts';
import { stableId } from './logical-id.ts';

export interface AliasRecords {
  readonly hostedZoneId: string;
  readonly names: readonly string[];
  /** Its name, and the zone that AWS keeps it in. */
  readonly target: { readonly name: string; readonly zoneId: string };
}

/** The zone of everything that CloudFront names (CloudFormation, AWS::Route53::RecordSet AliasTarget). */
export const cloudFrontZone = 'Z2FDTNDATAQYW2';

/** @param stem of the logical ids */
export function aliasRecords(scope: Construct, stem: string, records: AliasRecords): void {
  const { hostedZoneId, names, target } = records;
  for (const name of names) {
    for (const type of ['A', 'AAAA']) {
      const id = `${stem}Record${pascalCase(name.replaceAll('.', '-'))}${type}`;
      const aliasTarget = { dnsName: target.name, hostedZoneId: target.zoneId };
      stableId(new CfnRecordSet(scope, id, { hostedZoneId, name, type, aliasTarget }), id);
    }
  }
}
