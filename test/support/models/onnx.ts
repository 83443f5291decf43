/**
 * Writes small ONNX models for tests, in protobuf: float constants, nodes and metadata. Field numbers are from
 * onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, IR version 8).
 */
export type ElementType = 'float' | 'int64';
/** A name is used for a length that is known only at run time. */
export type Value = { name: string; type: ElementType; shape: readonly (number | string)[] };
export type Constant = { name: string; shape: readonly number[] } & (
  | { floats: readonly number[] }
  | { ints: readonly number[] }
);
export type Node = {
  op: string;
  inputs: readonly string[];
  outputs: readonly string[];
  /** Integers, or lists of integers. */
  attributes?: Readonly<Record<string, number | readonly number[]>>;
};

export type Model = {
  inputs: readonly Value[];
  outputs: readonly Value[];
  constants: readonly Constant[];
  nodes: readonly Node[];
  metadata: Readonly<Record<string, string>>;
};

const OPSET = 13;
const IR_VERSION = 8;
const ELEMENT = { float: 1, int64: 7 } as const;
/** AttributeProto.AttributeType. */
const INT = 2;
const INTS = 7;

/** The bytes of a `.onnx` file. */
export function onnxModel({ inputs, outputs, constants, nodes, metadata }: Model): Buffer {
  const graph = [
    ...nodes.map((node) => message(1, nodeOf(node))),
    text(2, 'graph'),
    ...constants.map((constant) => message(5, tensorOf(constant))),
    ...inputs.map((value) => message(11, interfaceOf(value))),
    ...outputs.map((value) => message(12, interfaceOf(value))),
  ];
  return Buffer.concat([
    number(1, IR_VERSION),
    text(2, 'kinora-test'),
    message(7, graph),
    message(8, [text(1, ''), number(2, OPSET)]),
    ...Object.entries(metadata).map(([key, value]) => message(14, [text(1, key), text(2, value)])),
  ]);
}

const nodeOf = ({ op, inputs, outputs, attributes = {} }: Node): Buffer[] => [
  ...inputs.map((name) => text(1, name)),
  ...outputs.map((name) => text(2, name)),
  text(4, op),
  ...Object.entries(attributes).map(([name, value]) => message(5, attributeOf(name, value))),
];

const attributeOf = (name: string, value: number | readonly number[]): Buffer[] =>
  typeof value === 'number'
    ? [text(1, name), number(3, value), number(20, INT)]
    : [text(1, name), ...value.map((one) => number(8, one)), number(20, INTS)];

function tensorOf(constant: Constant): Buffer[] {
  const isFloat = 'floats' in constant;
  const data = isFloat
    ? Buffer.from(Float32Array.from(constant.floats).buffer)
    : Buffer.from(BigInt64Array.from(constant.ints, BigInt).buffer);
  const type = isFloat ? ELEMENT.float : ELEMENT.int64;
  return [
    ...constant.shape.map((length) => number(1, length)),
    number(2, type),
    text(8, constant.name),
    bytes(9, data),
  ];
}

function interfaceOf({ name, type, shape }: Value): Buffer[] {
  const dimensions = shape.map((length) =>
    message(1, [typeof length === 'number' ? number(1, length) : text(2, length)]),
  );
  const tensor = [number(1, ELEMENT[type]), message(2, dimensions)];
  return [text(1, name), message(2, [message(1, tensor)])];
}

// Protobuf's wire format: a tag of field number and kind (0 a varint, 2 a length and bytes), then the value.

function varint(value: number): Buffer {
  const digits: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest >= 128n) {
    digits.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return Buffer.from([...digits, Number(rest)]);
}

const number = (field: number, value: number) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field: number, data: Buffer) =>
  Buffer.concat([varint((field << 3) | 2), varint(data.length), data]);
const text = (field: number, value: string) => bytes(field, Buffer.from(value));
const message = (field: number, parts: readonly Buffer[]) => bytes(field, Buffer.concat(parts));
