# What the image starts. Lambda hands it the handler as its only argument, e.g. functions/ProbeMedia/index.handler, and
# leaves _HANDLER empty, where version 4 of the client looks for it.
export _HANDLER="$1"
# All of the memory, as in the local cloud: by itself, V8 is content with a part of it.
exec node --max-old-space-size="$AWS_LAMBDA_FUNCTION_MEMORY_SIZE" /opt/client/index.mjs
