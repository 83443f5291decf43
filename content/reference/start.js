/* Starts Swagger UI on the OpenAPI document of the same origin. */
import { accessible } from './accessible.js';
import { document } from './document.js';
import { planned } from './planned.js';
import { references } from './references.js';

const { SwaggerUIBundle } = window;
// Where earlier versions of this page kept the key.
localStorage.removeItem('authorized');
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [accessible, document, planned, references],
  deepLinking: true,
  // The key lives in this page alone: whoever uses the browser next finds none.
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The document names the API's one address; under another, the page may talk to the host that served it alone.
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, location.href);
    request.url = location.origin + pathname + search;
    return request;
  },
  // From 150 rows Swagger UI renders only those in view, and deep links no longer find theirs.
  docExpansion: 'none',
  operationsSorter: 'alpha',
  defaultModelsExpandDepth: 0,
  // Its default sends the document to a service of its makers.
  validatorUrl: null,
});
