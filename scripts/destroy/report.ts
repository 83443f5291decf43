/** Prints what remains of an environment. */
import type { Remains } from './remains.ts';

export function reportOf(remains: Remains, environment: string): string[] {
  const { stacks, tables, functions, logGroups, tagged, expiringKeys } = remains;
  const kinds: readonly (readonly [name: string, found: readonly string[], cure: string])[] = [
    [
      'stacks',
      stacks,
      `Run npm run destroy -- ${environment} again. The console, CloudFormation, Events, shows why a stack remains.`,
    ],
    ['tables', tables, 'In the console, DynamoDB, switch off their deletion protection and delete them.'],
    ['functions', functions, 'In the console, Lambda, delete them.'],
    ['log groups', logGroups.map(({ name }) => name), `Run npm run destroy -- ${environment} again.`],
    [
      'resources with its tags',
      tagged.map(({ arn }) => arn),
      'AWS lists deleted resources for some hours. Run the command again later; delete by ARN what still remains.',
    ],
  ];
  const lines = kinds.flatMap(([name, found, cure]) =>
    found.length === 0
      ? [`✓ No ${name}`]
      : [`✗ ${found.length} ${name}:`, ...found.map((one) => `    ${one}`), `  → ${cure}`],
  );
  const keys = expiringKeys.map(({ arn, until }) => {
    const when = until === undefined ? '' : ` on ${until.toISOString().slice(0, 10)}`;
    return `  ${arn.split('/').at(-1)}: KMS deletes this key${when}; until then it is disabled and costs nothing`;
  });
  return [...lines, ...keys];
}
