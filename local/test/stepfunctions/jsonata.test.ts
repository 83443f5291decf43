import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StateError } from '../../stepfunctions/errors.ts';
import { compile, evaluateAs, evaluateTemplate, TYPES } from '../../stepfunctions/jsonata.ts';
import type { Json } from '../../stepfunctions/language.ts';

const given = {
  name: 'Fred',
  orders: [
    { id: 'b', price: 20, tags: ['x'] },
    { id: 'a', price: 10, tags: ['y', 'z'] },
  ],
};

function evaluate(code: string, variables: Record<string, Json> = {}): Promise<Json> {
  const states = { input: given, context: {} };
  return evaluateTemplate(`{% ${code} %}`, 'Output', { states, variables });
}

async function failureOf(code: string): Promise<StateError['failure']> {
  const error = await evaluate(code).catch((reason: unknown) => reason);
  if (error instanceof StateError) return error.failure;
  throw new Error(`${code} did not fail but gave ${JSON.stringify(error)}`);
}

describe('a function that Step Functions adds (guide: Transforming data with JSONata in Step Functions)', () => {
  it.each([
    ['$partition([1,2,3,4,5,6,7,8,9], 4)', [[1, 2, 3, 4], [5, 6, 7, 8], [9]]],
    ['$partition([], 4)', []],
    ['$partition([1], 4)', [[1]]],
    ['$range(1, 9, 2)', [1, 3, 5, 7, 9]],
    ['$range(3, 1, -1)', [3, 2, 1]],
    ['$range(3, 1, 1)', []],
    ['$range(0, 1, 0.25)', [0, 0.25, 0.5, 0.75, 1]],
    ["$hash('input data', 'SHA-1')", createHash('sha1').update('input data').digest('hex')],
    ["$hash('', 'MD5')", 'd41d8cd98f00b204e9800998ecf8427e'],
    ["$hash('abc', 'SHA-256')", 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ["$length($hash('abc', 'SHA-384'))", 96],
    ["$length($hash('abc', 'SHA-512'))", 128],
    ['$parse(\'{"a": [1, null]}\')', { a: [1, null] }],
    ['$parse(\'"x"\')', 'x'],
    ['$random(5) = $random(5)', true],
    ['$random(5) = $random(6)', false],
    ['$uuid() = $uuid()', false],
  ] as [string, Json][])('returns the right value: %s is %j', async (code, expected) => {
    expect(await evaluate(code)).toEqual(expected);
  });

  it('$uuid returns a version 4 UUID', async () => {
    expect(await evaluate('$uuid()')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('$random returns a number from 0 to less than 1', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const number = (await evaluate(`$random(${seed})`)) as number;
        return number >= 0 && number < 1;
      }),
      { numRuns: 50 },
    );
  });

  it('$partition keeps all elements in order, in parts of the given size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer(), { maxLength: 30 }),
        fc.integer({ min: 1, max: 10 }),
        async (array, size) => {
          const parts = (await evaluate('$partition($array, $size)', { array, size })) as number[][];
          expect(parts.flat()).toEqual(array);
          expect(parts.slice(0, -1).every((part) => part.length === size)).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['$partition([1], 0)', /positive integer/],
    ['$range(1, 2, 0)', /must not be 0/],
    ['$range(1, 1000000000, 1)', /more than/],
    ["$hash('a', 'CRC32')", /must be one of MD5/],
    ["$hash('a', 'constructor')", /must be one of MD5/],
    ['$hash(1)', /T04/],
    ["$parse('{')", /\$parse: /],
  ])('fails for invalid arguments: %s', async (code, cause) => {
    expect(await failureOf(code)).toMatchObject({
      error: 'States.QueryEvaluationError',
      cause: expect.stringMatching(cause),
    });
  });
});

describe('a built-in function (docs.jsonata.org)', () => {
  it.each([
    ['String functions', "$match('ababbabbcc', /a(b+)/)[0].groups", ['b']],
    ['String functions', "$split('a, b', ', ')", ['a', 'b']],
    ['Numeric functions', "$formatInteger(2789, 'w')", 'two thousand, seven hundred and eighty-nine'],
    ['Numeric aggregation functions', '$sum($states.input.orders.price)', 30],
    ['Boolean functions', '$exists($states.input.missing)', false],
    ['Array functions', '$append([1, 2], 3)', [1, 2, 3]],
    ['Array functions', '$sort($states.input.orders, function($l, $r) { $l.id > $r.id }).id', ['a', 'b']],
    ['Object functions', "$merge([{'a': 1}, {'b': 2}])", { a: 1, b: 2 }],
    ['Object functions', '$type([])', 'array'],
    ['Date/Time functions', '$toMillis($now()) = $millis()', true],
    ['Higher order functions', '$map([1, 2], function($n) { $n * 2 })', [2, 4]],
    ['Higher order functions', '$reduce([1..5], function($x, $y) { $x * $y })', 120],
    ['Path Operators', '$states.input.orders[price > 15].id', 'b'],
    ['Path Operators', '$states.input.orders^(price).id', ['a', 'b']],
    ['Other Operators', '$states.input ~> |orders|{"price": 0}| ~> function($i) { $i.orders.price }', [0, 0]],
    ['Other Operators', "$states.input.missing ? 'yes' : 'no'", 'no'],
  ] as [string, string, Json][])(
    'among the %s returns the right value: %s is %j',
    async (_, code, expected) => {
      expect(await evaluate(code)).toEqual(expected);
    },
  );

  it.each(['$eval', '[1].$eval("1")', '($e := $eval; 1)'])(
    'is refused if Step Functions does not offer it: %s (guide: Transforming data with JSONata)',
    (code) => {
      expect(() => compile(code === '$eval' ? '$eval("1")' : code)).toThrow(
        '$eval is not offered by Step Functions',
      );
    },
  );
});

describe('an expression', () => {
  it.each([
    ['returned nothing (undefined).', '$states.input.missing'],
    ['returned nothing (undefined).', '$'],
    ['returned nothing (undefined).', 'name'],
    ['returned nothing (undefined).', '$states.result'],
    ['returned a function, which JSON cannot represent.', '$sum'],
    ['returned a function, which JSON cannot represent.', 'function($x) { $x }'],
    ['returned a function, which JSON cannot represent.', "[{'a': $sum}]"],
    ['threw an error during evaluation. D3137: this', "$error('this')"],
    ['threw an error during evaluation. D3141: that', "$assert(false, 'that')"],
    ['threw an error during evaluation. T2002', '1 + "a"'],
    ['threw an error during evaluation. T1006', '$unknown()'],
    ['threw an error during evaluation. D1011', '($f := function($n) { 1 + $f($n) }; $f(1))'],
  ])('fails if it %s: %s (spec: JSONata Runtime Errors)', async (cause, code) => {
    const failure = await failureOf(code);
    expect(failure).toMatchObject({ error: 'States.QueryEvaluationError', location: 'Output' });
    expect(failure.cause).toContain(
      `The JSONata expression '${code}' specified for the field 'Output' ${cause}`,
    );
  });

  it('keeps null and false (spec: JSONata Evaluation)', async () => {
    expect(await evaluate('[null, false, [], {}]')).toEqual([null, false, [], {}]);
    expect(await evaluate('null')).toBe(null);
  });

  it('returns an array of one element as an array if requested (docs.jsonata.org: Sequences)', async () => {
    expect(await evaluate('$states.input.orders[price > 15][]')).toEqual([given.orders[0]]);
  });

  it('reports the path of a failed expression inside a template', async () => {
    const template = { a: ['x', { b: '{% $missing %}' }] };
    const bindings = { states: { input: null, context: {} }, variables: {} };
    await expect(evaluateTemplate(template, 'Arguments', bindings)).rejects.toMatchObject({
      failure: { location: 'Arguments/a[1]/b' },
    });
  });

  it('does not change its input', async () => {
    const before = structuredClone(given);
    await evaluate('$states.input ~> |orders|{"price": 0}|');
    await evaluate('$sort($states.input.orders, function($l, $r) { $l.price > $r.price })');
    expect(given).toEqual(before);
  });

  it('leaves JSON without expressions unchanged', async () => {
    const bindings = { states: { input: null, context: {} }, variables: {} };
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        fc.pre(!JSON.stringify(value).includes('{%') && !JSON.stringify(value).includes('__proto__'));
        expect(await evaluateTemplate(value as Json, 'Output', bindings)).toEqual(value);
      }),
    );
  });
});

describe('a typed field', () => {
  const bindings = { states: { input: 'Fred', context: {} }, variables: {} };

  it('accepts a value of its type', async () => {
    expect(await evaluateAs(TYPES.string, '{% $states.input %}', 'Error', bindings)).toBe('Fred');
    expect(await evaluateAs(TYPES.percentage, 12.5, 'ToleratedFailurePercentage', bindings)).toBe(12.5);
  });

  it.each([
    [
      'TimeoutSeconds',
      TYPES.positive,
      '{% $states.input %}',
      "'positive integer', but was 'string' for value: \"Fred\"",
    ],
    ['TimeoutSeconds', TYPES.positive, '{% 1.5 %}', "'positive integer', but was 'number' for value: 1.5"],
    ['Seconds', TYPES.count, '{% -1 %}', "'non-negative integer', but was 'number' for value: -1"],
    ['ToleratedFailurePercentage', TYPES.percentage, '{% 101 %}', "'number between 0 and 100'"],
    ['Items', TYPES.array, '{% null %}', "'array', but was 'null' for value: null"],
    ['Condition', TYPES.boolean, '{% [] %}', "'boolean', but was 'array' for value: []"],
  ])(
    'named %s refuses a value of another type (spec: JSONata Runtime Errors)',
    async (location, type, template, cause) => {
      const evaluated = evaluateAs<Json>(type, template, location, bindings);
      await expect(evaluated).rejects.toMatchObject({
        failure: { error: 'States.QueryEvaluationError', location },
      });
      await expect(evaluated).rejects.toThrow(`Expected ${cause}`);
    },
  );
});
