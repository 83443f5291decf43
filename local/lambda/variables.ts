/** The environment variables of a function's process: those of Lambda, those of the template, and the local endpoints. */
import type { FunctionView } from '../template/compute.ts';

export type Place = { region: string; temporaryDirectory: string; compileCache?: string };

/**
 * Returns the variables of a function. From the host, it gets only the variables that are needed to find and run programs: no
 * secrets and no AWS profile. `overrides` replace variables of the template, and add variables of the local cloud.
 */
export function functionVariables(
  fn: FunctionView,
  overrides: Record<string, string>,
  { region, temporaryDirectory, compileCache }: Place,
): Record<string, string> {
  return {
    ...hostVariables(),
    TMPDIR: temporaryDirectory,
    HOME: temporaryDirectory,
    TZ: 'UTC',
    // Lambda developer guide, "Defined runtime environment variables".
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_LAMBDA_FUNCTION_NAME: fn.name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMegabytes),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${fn.name}`,
    AWS_EC2_METADATA_DISABLED: 'true',
    LAMBDA_TASK_ROOT: fn.codePath,
    _HANDLER: fn.handler,
    ...(compileCache ? { NODE_COMPILE_CACHE: compileCache } : {}),
    ...fn.environment,
    ...overrides,
  };
}

function hostVariables(): Record<string, string> {
  const needed = ['PATH', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'SystemRoot'];
  return Object.fromEntries(needed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
