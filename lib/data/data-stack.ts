/** Durable resources: tables, media, the key of the API keys, and the address of the API. */
import { CfnOutput, CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { TableName } from '../../platform/steps/permissions.ts';
import type { Environment } from '../environments.ts';
import type { Resources } from '../shared/permissions.ts';
import { type ApiAddress, apiAddress } from './api-address.ts';
import { mediaBucket } from './media-bucket.ts';
import { keepMediaPolicies } from './media-policies.ts';
import { secretsKey } from './secrets-key.ts';
import { Tables } from './tables.ts';

export interface DataStackProps extends StackProps {
  readonly environment: Environment;
  /** The firewall of the API, if the environment is protected. */
  readonly webAclArn?: string;
}

export class DataStack extends Stack {
  readonly resources: Resources;
  readonly api: ApiAddress;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, props);
    // Only the firewall comes before this stack. It is in us-east-1, and exports do not leave their region.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const tables = new Tables(this, 'Tables', props);
    const media = mediaBucket(this, props.environment);
    this.api = apiAddress(this, props.environment, props.webAclArn);
    this.resources = {
      tables: tables.byName,
      authKey: tables.authKey,
      secretsKey: secretsKey(this, props.environment),
      media,
    };
    keepMediaPolicies(this, media);

    for (const name of Object.keys(tables.byName) as TableName[]) {
      new CfnOutput(this, `${name}Table`, { value: tables.byName[name].tableName });
    }
    new CfnOutput(this, 'MediaBucket', { value: media.bucketName });
    new CfnOutput(this, 'SecretsKeyArn', { value: this.resources.secretsKey.keyArn });
  }
}
