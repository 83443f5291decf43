/** Permissions of API keys. `admin:*` scopes are for the keys of operators, and apply to all tenants. */
export const scopes = [
  'assets:read',
  'assets:write',
  'transcripts:read',
  'transcripts:write',
  'jobs:read',
  'jobs:write',
  'storages:read',
  'storages:write',
  'config:read',
  'config:write',
  'channels:read',
  'channels:write',
  'publish:read',
  'publish:write',
  'search:read',
  'exports:write',
  'usage:read',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'admin:storages:read',
] as const;

export type Scope = (typeof scopes)[number];

export const tenantScopes = scopes.filter((scope) => !scope.startsWith('admin:'));
