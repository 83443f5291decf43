/** Returns the names of resources as findings of cdk-nag write them, to acknowledge the findings. */
import { type Stack, Token } from 'aws-cdk-lib';

/** Returns partition, region and account. A value that the environment does not set is a placeholder, such as `<AWS::Region>`. */
export function namesInFindings({ partition, region, account }: Stack): Readonly<Record<string, string>> {
  const said = (value: string, name: string) => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
  return {
    partition: said(partition, 'Partition'),
    region: said(region, 'Region'),
    account: said(account, 'AccountId'),
  };
}

/** Replaces placeholders in braces, such as `{region}`. @throws Error for a name without a value */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new Error(`${text} names {${name}}; there are ${Object.keys(values).join(', ')}`);
    return value;
  });
}
