/** Finds the table of API keys of a deployed environment in the outputs of its stacks. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsIn } from './clients.ts';
import { Failure } from './failure.ts';
import { outputsOf, stacksOf } from './stacks.ts';
import { targetNamed } from './targets.ts';

/** @throws Failure if the environment is not deployed */
export async function authTableOf(name: string): Promise<{ client: DynamoDBClient; table: string }> {
  const target = await targetNamed(name, 'keys');
  const aws = awsIn(target.region);
  const { AuthTable: table } = outputsOf(await stacksOf(target, [aws]));
  if (table !== undefined) return { client: aws.dynamoDb, table };
  throw new Failure({
    says: `${name} has no table of API keys in ${target.region}`,
    cure: `Deploy it first: npm run deploy -- ${name}`,
  });
}
