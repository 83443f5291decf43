/** Resolves CloudFormation's intrinsic functions to local values. */
import type { Resource, Stack } from './assembly.ts';
import { identityOf, type Locality } from './names.ts';

/** Resolves a value in the template of a stack. If this fails, the error message contains `place`. */
export type Resolve = (value: unknown, stack: Stack, place: string) => unknown;

/** Whether the resource exists here: it has no `Condition`, or its condition is true. */
export type Exists = (resource: Resource, stack: Stack, place: string) => boolean;

export class UnresolvableIntrinsic extends Error {
  override name = 'UnresolvableIntrinsic';
}

type Scope = { stack: Stack; place: string };
type Intrinsic = (argument: unknown, scope: Scope) => unknown;

/** The value of `AWS::NoValue`. A member or element with this value is removed. */
const noValue = Symbol('AWS::NoValue');

/** Creates a resolver for all stacks, because a stack may read outputs of another one. */
export function createResolver(stacks: Stack[], at: Locality): { resolve: Resolve; exists: Exists } {
  const pseudoParameters: Record<string, unknown> = {
    'AWS::Region': at.region,
    'AWS::AccountId': at.account,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::NotificationARNs': [],
    'AWS::NoValue': noValue,
  };

  function resolve(value: unknown, scope: Scope): unknown {
    if (Array.isArray(value)) {
      return value
        .map((element, index) => resolve(element, within(scope, index)))
        .filter((element) => element !== noValue);
    }
    if (typeof value !== 'object' || value === null) return value;
    const intrinsic = soleIntrinsic(value);
    if (intrinsic) return evaluate(intrinsic.name, intrinsic.argument, scope);
    const members = Object.entries(value)
      .map(([name, member]) => [name, resolve(member, within(scope, name))] as const)
      .filter(([, member]) => member !== noValue);
    return Object.fromEntries(members);
  }

  function evaluate(name: string, argument: unknown, scope: Scope): unknown {
    const intrinsic = intrinsics[name];
    if (!intrinsic) throw unresolvable(scope, `${name} is not known here`);
    return intrinsic(argument, scope);
  }

  function ref(id: string, scope: Scope): unknown {
    if (id === 'AWS::StackName') return scope.stack.name;
    if (id === 'AWS::StackId')
      return `arn:aws:cloudformation:${at.region}:${at.account}:stack/${scope.stack.name}/local`;
    if (id in pseudoParameters) return pseudoParameters[id];
    const parameter = scope.stack.template.Parameters?.[id];
    if (parameter) {
      if (parameter.Default === undefined) throw unresolvable(scope, `parameter ${id} has no default`);
      return parameter.Default;
    }
    return identity(id, scope).ref;
  }

  function getAtt(id: string, attribute: string, scope: Scope): string {
    const value = identity(id, scope).attributes[attribute];
    if (value === undefined) throw unresolvable(scope, `${id}.${attribute} has no local value`);
    return value;
  }

  function identity(id: string, scope: Scope) {
    const resource = scope.stack.template.Resources?.[id];
    if (!resource) throw unresolvable(scope, `there is no resource ${id}`);
    const properties = nameProperties(resource, { stack: scope.stack, place: `${scope.stack.name}.${id}` });
    return identityOf({ stack: scope.stack.name, id, type: resource.Type, properties }, at);
  }

  /** Resolves only the properties with names, which identify a resource. Other properties may refer back to the resource. */
  function nameProperties(resource: Resource, scope: Scope): Record<string, unknown> {
    const names = Object.entries(resource.Properties ?? {}).filter(([property]) => /Name$/.test(property));
    return resolve(Object.fromEntries(names), scope) as Record<string, unknown>;
  }

  function condition(name: unknown, scope: Scope): boolean {
    const expression = scope.stack.template.Conditions?.[String(name)];
    if (expression === undefined) throw unresolvable(scope, `there is no condition ${String(name)}`);
    return (
      resolve(expression, { stack: scope.stack, place: `${scope.stack.name}.Conditions.${name}` }) === true
    );
  }

  function importValue(name: unknown, scope: Scope): unknown {
    for (const stack of stacks) {
      for (const [output, { Export, Value }] of Object.entries(stack.template.Outputs ?? {})) {
        const place = `${stack.name}.Outputs.${output}`;
        if (Export && resolve(Export.Name, { stack, place }) === name)
          return resolve(Value, { stack, place });
      }
    }
    throw unresolvable(scope, `no stack exports ${String(name)}`);
  }

  /** Returns an output of another stack that is not exported. The CDK uses it for weak references. */
  function stackOutput(argument: unknown, scope: Scope): unknown {
    const { StackName, OutputName } = resolve(argument, scope) as Record<string, unknown>;
    const stack = stacks.find(({ name }) => name === StackName);
    const output = stack?.template.Outputs?.[String(OutputName)];
    if (!stack || !output) throw unresolvable(scope, `stack ${StackName} has no output ${OutputName}`);
    return resolve(output.Value, { stack, place: `${stack.name}.Outputs.${OutputName}` });
  }

  function substitute(argument: unknown, scope: Scope): string {
    const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
    if (typeof text !== 'string') throw unresolvable(scope, 'Fn::Sub needs a string');
    const known = resolve(variables ?? {}, scope) as Record<string, unknown>;
    return text.replace(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (name in known) return String(known[name]);
      const dot = name.indexOf('.');
      return String(dot < 0 ? ref(name, scope) : getAtt(name.slice(0, dot), name.slice(dot + 1), scope));
    });
  }

  /** Resolves the argument, which must be a list. */
  function list(argument: unknown, scope: Scope): unknown[] {
    const value = resolve(argument, scope);
    if (!Array.isArray(value)) throw unresolvable(scope, 'a list is needed');
    return value;
  }

  const intrinsics: Record<string, Intrinsic> = {
    Ref: (id, scope) => ref(String(id), scope),
    'Fn::GetAtt': (argument, scope) => {
      const [id, ...attribute] = typeof argument === 'string' ? argument.split('.') : (argument as string[]);
      return getAtt(String(id), attribute.join('.'), scope);
    },
    'Fn::Join': (argument, scope) => {
      const [delimiter, parts] = argument as [string, unknown];
      return list(parts, scope).map(String).join(delimiter);
    },
    'Fn::Sub': substitute,
    'Fn::Select': (argument, scope) => {
      const [index, choices] = argument as [unknown, unknown];
      const chosen = list(choices, scope)[Number(resolve(index, scope))];
      if (chosen === undefined) throw unresolvable(scope, 'Fn::Select points past the end of its list');
      return chosen;
    },
    'Fn::Split': (argument, scope) => {
      const [delimiter, text] = argument as [string, unknown];
      return String(resolve(text, scope)).split(delimiter);
    },
    'Fn::ImportValue': (argument, scope) => importValue(resolve(argument, scope), scope),
    'Fn::GetStackOutput': stackOutput,
    'Fn::FindInMap': (argument, scope) => {
      const [map, first, second] = list(argument, scope).map(String);
      const value = scope.stack.template.Mappings?.[map ?? '']?.[first ?? '']?.[second ?? ''];
      if (value === undefined) throw unresolvable(scope, `there is no mapping ${map}.${first}.${second}`);
      return value;
    },
    'Fn::Base64': (argument, scope) => Buffer.from(String(resolve(argument, scope))).toString('base64'),
    'Fn::ToJsonString': (argument, scope) => JSON.stringify(resolve(argument, scope)),
    'Fn::Length': (argument, scope) => list(argument, scope).length,
    'Fn::If': (argument, scope) => {
      const [name, yes, no] = argument as [unknown, unknown, unknown];
      return resolve(condition(name, scope) ? yes : no, scope);
    },
    Condition: condition,
    'Fn::Equals': (argument, scope) => {
      const [left, right] = list(argument, scope);
      return String(left) === String(right);
    },
    'Fn::And': (argument, scope) => list(argument, scope).every((holds) => holds === true),
    'Fn::Or': (argument, scope) => list(argument, scope).some((holds) => holds === true),
    'Fn::Not': (argument, scope) => list(argument, scope)[0] !== true,
  };

  return {
    resolve: (value, stack, place) => {
      const resolved = resolve(value, { stack, place: `${stack.name}.${place}` });
      return resolved === noValue ? undefined : resolved;
    },
    exists: (resource, stack, place) =>
      resource.Condition === undefined ||
      condition(resource.Condition, { stack, place: `${stack.name}.${place}` }),
  };
}

/** Returns the intrinsic function if the object is a call: `{ "Fn::Join": … }`. `{ "Condition": { … } }` of an IAM statement is not a call. */
function soleIntrinsic(value: object): { name: string; argument: unknown } | undefined {
  const entries = Object.entries(value);
  const [name, argument] = entries[0] ?? ['', undefined];
  const isCall =
    name === 'Ref' || name.startsWith('Fn::') || (name === 'Condition' && typeof argument === 'string');
  return entries.length === 1 && isCall ? { name, argument } : undefined;
}

function within(scope: Scope, member: string | number): Scope {
  return { stack: scope.stack, place: `${scope.place}.${member}` };
}

function unresolvable({ place }: Scope, why: string): UnresolvableIntrinsic {
  return new UnresolvableIntrinsic(`cannot resolve ${place}: ${why}`);
}
