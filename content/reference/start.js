/* Starts Swagger UI on the OpenAPI document of the same origin. */
import { accessible } from './accessible.js';
import { planned } from './planned.js';

const { SwaggerUIBundle } = window;
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [accessible, planned],
  deepLinking: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // From 150 rows Swagger UI renders only those in view, and deep links no longer find theirs.
  docExpansion: 'none',
  operationsSorter: 'alpha',
  defaultModelsExpandDepth: 0,
  // Its default sends the document to a service of its makers.
  validatorUrl: null,
});
