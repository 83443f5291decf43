/* Starts Swagger UI on the OpenAPI document of the same origin. */
import { accessible } from './accessible.js';
import { document } from './document.js';
import { planned } from './planned.js';
import { references } from './references.js';

const { SwaggerUIBundle } = window;
// Earlier versions of this page stored the API key here.
localStorage.removeItem('authorized');
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [accessible, document, planned, references],
  deepLinking: true,
  // Keeps the key only in the open page, so that the next user of the browser does not find it.
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The document contains one address of the API. If the page has another address, it may send requests only to its own host.
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, location.href);
    request.url = location.origin + pathname + search;
    return request;
  },
  // With 150 rows or more, Swagger UI renders only visible rows, and deep links do not find the others.
  docExpansion: 'none',
  operationsSorter: 'alpha',
  defaultModelsExpandDepth: 0,
  // By default, Swagger UI sends the document to a service of its authors.
  validatorUrl: null,
});
