# The program that the image starts. Its only argument is the handler, such as functions/ProbeMedia/index.handler.
# Lambda leaves _HANDLER empty, but version 4 of the client reads the handler from _HANDLER.
export _HANDLER="$1"
# Lets V8 use all of the memory, as in the local cloud. By default, V8 uses only a part.
exec node --max-old-space-size="$AWS_LAMBDA_FUNCTION_MEMORY_SIZE" /opt/client/index.mjs
