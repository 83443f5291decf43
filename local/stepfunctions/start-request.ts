/** Checks a StartExecution request from a client or a task. API reference, "StartExecution". */
import { MAX_PAYLOAD_BYTES, ServiceError } from './errors.ts';

const FORBIDDEN_IN_NAMES = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]/u;
const LONGEST_NAME = 80;

/** @throws ServiceError InvalidName, InvalidExecutionInput, or ValidationException if the input is too long */
export function refuseInvalidStart({ name, input }: { name: string; input: string }): void {
  const isName = name.length >= 1 && name.length <= LONGEST_NAME && !FORBIDDEN_IN_NAMES.test(name);
  if (!isName) throw new ServiceError('InvalidName', `Invalid Name: '${name}'`);
  if (Buffer.byteLength(input) > MAX_PAYLOAD_BYTES) {
    const message = `Value at 'input' must have length less than or equal to ${MAX_PAYLOAD_BYTES}`;
    throw new ServiceError('ValidationException', message);
  }
  refuseInvalidJson(input, 'InvalidExecutionInput', 'Invalid State Machine Execution Input');
}

/** @throws ServiceError of the given type if the value is not JSON */
export function refuseInvalidJson(value: string, type: string, message: string): void {
  try {
    JSON.parse(value);
  } catch (error) {
    throw new ServiceError(type, `${message}: '${(error as Error).message}'`);
  }
}
