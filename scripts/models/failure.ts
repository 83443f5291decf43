/** What people can do something about: its message says what went wrong and what would help, and is shown without a stack. */
export class ModelFailure extends Error {}

const byCode: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Make room and run the command again: it goes on where it stopped.',
  EDQUOT:
    'Your share of the disk is used up. Make room and run the command again: it goes on where it stopped.',
  EACCES:
    'The folder of the models cannot be written to. Give it to your user (chown) and run the command again.',
  EROFS: 'The folder of the models cannot be written to: its disk is read-only.',
};

/** The failure that an error of the file system amounts to; the error itself where it is none that has a cure. */
export function withCure(error: unknown): unknown {
  const cure = byCode[(error as NodeJS.ErrnoException)?.code ?? ''];
  return cure === undefined ? error : new ModelFailure(cure, { cause: error });
}
