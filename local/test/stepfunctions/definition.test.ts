import { describe, expect, it } from 'vitest';
import { checkedDefinition } from '../../stepfunctions/definition.ts';
import { branch, functionArn, LAMBDA_INVOKE, machine } from './harness.ts';

const End = true;
const processor = branch({ I: { Type: 'Pass', End } });
const distributed = { ...processor, ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } };
const task = (fields: object) => machine({ A: { Type: 'Task', Resource: functionArn('f'), End, ...fields } });
const map = (fields: object) => machine({ A: { Type: 'Map', ItemProcessor: processor, End, ...fields } });
const pass = (fields: object) => machine({ A: { Type: 'Pass', End, ...fields } });
const reader = { Resource: 'arn:aws:states:::s3:getObject', Arguments: { Bucket: 'b', Key: 'k' } };

describe('at the start, a definition is refused if it has', () => {
  it.each([
    ['a JSONPath machine', branch({ A: { Type: 'Pass', End } }), "QueryLanguage must be 'JSONata'"],
    ['text instead of an object', 'text', 'the definition is not an object'],
    ['a JSONPath state', pass({ QueryLanguage: 'JSONPath' }), 'JSONPath states are not offered'],
    ['a JSONPath field', pass({ ResultPath: '$.a' }), 'A'],
    ['a missing StartAt', { QueryLanguage: 'JSONata', States: {} }, 'StartAt'],
    ['a Next that names no state', machine({ A: { Type: 'Pass', Next: 'B' } }), 'B'],
    [
      'an unknown resource',
      task({ Resource: 'arn:aws:states:::sqs:sendMessage' }),
      'sqs:sendMessage is not offered',
    ],
    ['an activity', task({ Resource: 'arn:aws:states:eu-west-1:123456789012:activity:a' }), 'is not offered'],
    [
      'a .sync integration, which returns JSON text',
      task({ Resource: 'arn:aws:states:::states:startExecution.sync' }),
      'is not offered',
    ],
    [
      'the argument InvocationType',
      task({ Resource: LAMBDA_INVOKE, Arguments: { FunctionName: 'f', InvocationType: 'Event' } }),
      'the argument InvocationType of lambda:invoke is not offered',
    ],
    ['an ItemReader', map({ ItemProcessor: distributed, ItemReader: reader }), 'ItemReader is not offered'],
    [
      'a ResultWriter',
      map({ ItemProcessor: distributed, ResultWriter: reader }),
      'ResultWriter is not offered',
    ],
    ['the deprecated Iterator', map({ ItemProcessor: undefined, Iterator: processor }), 'Iterator'],
    [
      'batches in an inline Map',
      map({ ItemBatcher: { MaxItemsPerBatch: 2 } }),
      'ItemBatcher needs a Map in DISTRIBUTED mode',
    ],
    ['an expression that does not parse', pass({ Output: '{% 1 + %}' }), "'{% 1 + %}'"],
    ['an expression that does not end', pass({ Output: { a: ['{% 1'] } }), 'does not end with %}'],
    ['$eval', pass({ Output: '{% $eval("1") %}' }), '$eval is not offered by Step Functions'],
    [
      'States.ALL beside another name',
      task({ Retry: [{ ErrorEquals: ['States.ALL', 'E'] }] }),
      'States.ALL must stand alone',
    ],
    [
      'States.ALL before another rule',
      task({ Retry: [{ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['E'] }] }),
      'States.ALL must stand alone',
    ],
    [
      'an unknown jitter strategy',
      task({ Retry: [{ ErrorEquals: ['E'], JitterStrategy: 'SOME' }] }),
      'JitterStrategy',
    ],
    [
      'a heartbeat after the timeout',
      task({ TimeoutSeconds: 5, HeartbeatSeconds: 5 }),
      'HeartbeatSeconds must be smaller',
    ],
    ['a reserved variable', pass({ Assign: { states: 1 } }), "cannot assign 'states': the name is reserved"],
    [
      'a variable name with a hyphen',
      pass({ Assign: { 'a-b': 1 } }),
      "cannot assign 'a-b': it is not a variable name",
    ],
    [
      'a variable name over 80 characters',
      pass({ Assign: { ['a'.repeat(81)]: 1 } }),
      'it is not a variable name',
    ],
    [
      'a variable that an outer and an inner scope assign',
      machine({
        A: { Type: 'Pass', Assign: { x: 1 }, Next: 'M' },
        M: {
          Type: 'Map',
          ItemProcessor: { StartAt: 'B', States: { B: { Type: 'Pass', Assign: { x: 2 }, End } } },
          End,
        },
      }),
      "the state 'B' cannot assign 'x': a variable of an outer scope has this name",
    ],
  ])('%s', (_, definition, message) => {
    expect(() => checkedDefinition('broken', definition)).toThrow(message);
    expect(() => checkedDefinition('broken', definition)).toThrow('the state machine broken cannot be run');
  });

  it('names every error, with the path of its state', () => {
    const inner = { StartAt: 'B', States: { B: { Type: 'Pass', Output: '{% ( %}', End } } };
    const definition = machine({
      P: { Type: 'Parallel', Branches: [inner], Next: 'M' },
      M: {
        Type: 'Map',
        ItemProcessor: { StartAt: 'C', States: { C: { Type: 'Pass', Output: '{% [ %}', End } } },
        End,
      },
    });
    expect(() => checkedDefinition('m', definition)).toThrow(
      /States\/P\/Branches\/0\/B: [\s\S]*States\/M\/ItemProcessor\/C: /,
    );
  });
});

describe('a definition that can be run', () => {
  it.each([
    ['an expression over several lines', pass({ Output: '{%\n  1 +\n  2\n%}' })],
    ['any JSON as an Output', pass({ Output: ['', [[1]], null] })],
    ['an empty string in an Assign', pass({ Assign: { a: '', b: ['x'] } })],
    ['comments', { ...pass({ Comment: 'state' }), Comment: 'machine', Version: '1.0' }],
    ['a function with a qualifier', task({ Resource: `${functionArn('f')}:live` })],
    [
      'the same variable in two branches',
      machine({
        P: {
          Type: 'Parallel',
          Branches: [1, 2].map((n) => ({
            StartAt: `A${n}`,
            States: { [`A${n}`]: { Type: 'Pass', Assign: { x: n }, End } },
          })),
          End,
        },
      }),
    ],
    [
      'an outer variable that a distributed Map assigns again',
      machine({
        A: { Type: 'Pass', Assign: { x: 1 }, Next: 'M' },
        M: {
          Type: 'Map',
          ItemProcessor: {
            ...distributed,
            StartAt: 'B',
            States: { B: { Type: 'Pass', Assign: { x: 2 }, End } },
          },
          End,
        },
      }),
    ],
  ])('can have %s, and stays unchanged', (_, definition) => {
    const before = structuredClone(definition);
    expect(checkedDefinition('m', definition)).toEqual(before);
  });
});
