/** The table of the API keys of a deployed environment, by the outputs of its stacks. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsIn } from './clients.ts';
import { Failure } from './failure.ts';
import { outputsOf, stacksOf } from './stacks.ts';
import { targetNamed } from './targets.ts';

/** @throws Failure where it is not deployed */
export async function authTableOf(name: string): Promise<{ client: DynamoDBClient; table: string }> {
  const target = await targetNamed(name, 'keys');
  const aws = awsIn(target.region);
  const { AuthTable: table } = outputsOf(await stacksOf(target, [aws]));
  if (table !== undefined) return { client: aws.dynamoDb, table };
  throw new Failure({
    says: `There is no table of keys of ${name} in ${target.region}`,
    cure: `Deploy it first: npm run deploy -- ${name}`,
  });
}
