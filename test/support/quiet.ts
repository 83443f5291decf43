/** Lambdas log to standard output, where it would bury the results of tests. vitest itself reports elsewhere. */
process.stdout.write = () => true;
