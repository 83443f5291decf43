/** Problems of this host, and the Spanish texts for these and for the product API's problems in `contract/kit/errors.ts`. */
import {
  type JobErrorCode,
  jobErrors,
  type ProblemCode,
  type ProblemKind,
  problems,
} from '../contract/kit/errors.ts';

/** Problems in answers of the site's host (RFC 9457), by code. */
export const siteProblems = {
  preview_restricted: {
    status: 403,
    title: 'Preview restricted',
    cure: 'Use the public host. A preview environment opens only with its access cookie or header.',
  },
  page_not_found: {
    status: 404,
    title: 'Page not found',
    cure: 'Look the page up in `/llms.txt` or `/v1/pages.json`.',
  },
  no_api_on_this_host: {
    status: 404,
    title: 'No API on this host',
    cure: 'Send the request to the product API, which `/.well-known/api-catalog` names. Do not guess endpoints here.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    cure: 'This host only reads: use `GET`, `HEAD` or `OPTIONS`.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    cure: 'Accept `text/html` or `text/markdown`, or append `.md` to the path.',
  },
} as const satisfies Record<string, ProblemKind>;

type SiteProblemCode = keyof typeof siteProblems;

interface Text {
  readonly title: string;
  readonly cure: string;
}

const text = (title: string, cure: string): Text => ({ title, cure });

const siteProblemsInSpanish: Readonly<Record<SiteProblemCode, Text>> = {
  preview_restricted: text(
    'Vista previa restringida',
    'Usa el host público. Un entorno de vista previa solo se abre con su cookie o su cabecera de acceso.',
  ),
  page_not_found: text('Página no encontrada', 'Busca la página en `/llms.txt` o en `/v1/pages.json`.'),
  no_api_on_this_host: text(
    'No hay ninguna API en este host',
    'Envía la petición a la API del producto: `/.well-known/api-catalog` indica su dirección. No adivines rutas aquí.',
  ),
  method_not_allowed: text(
    'Método no permitido',
    'Este host es de solo lectura: usa `GET`, `HEAD` u `OPTIONS`.',
  ),
  not_acceptable: text('No aceptable', 'Acepta `text/html` o `text/markdown`, o añade `.md` a la ruta.'),
};

/** Spanish texts by code. The type is partial, so that the site compiles before a new code has a text. A test requires a text for each code. */
export const problemsInSpanish: Readonly<Partial<Record<ProblemCode, Text>>> = {
  malformed_json: text(
    'JSON mal formado',
    'Envía un único documento JSON, en UTF-8 y sin miembros duplicados.',
  ),
  invalid_parameter: text(
    'Parámetro no válido',
    'Corrige el parámetro de ruta o de consulta que indica `errors`.',
  ),
  invalid_cursor: text(
    'Cursor no válido',
    'Empieza de nuevo sin `cursor`. Envía `next_cursor` sin cambios y con los mismos filtros.',
  ),
  missing_credentials: text('Faltan credenciales', 'Envía `Authorization: Bearer <API_KEY>`.'),
  invalid_api_key: text(
    'Clave de API no válida',
    'Comprueba que la clave está completa, es de este entorno y no se ha revocado.',
  ),
  expired_api_key: text('Clave de API caducada', 'Rota la clave y usa la nueva.'),
  insufficient_scope: text('Permiso insuficiente', 'Usa una clave que tenga el permiso que indica `detail`.'),
  tenant_suspended: text('Cuenta suspendida', 'Ponte en contacto con el operador de este entorno.'),
  quota_exceeded: text('Cuota agotada', 'Espera al mes siguiente o pide al operador una cuota mayor.'),
  resource_not_found: text(
    'Recurso no encontrado',
    'Revisa el identificador. Los identificadores de otras cuentas reciben la misma respuesta.',
  ),
  route_not_found: text('Ruta no encontrada', 'Consulta en `/openapi.json` las rutas de esta API.'),
  method_not_allowed: text('Método no permitido', 'Usa uno de los métodos de la cabecera `Allow`.'),
  answer_too_large: text(
    'Respuesta demasiado grande',
    'Envía `Accept-Encoding: gzip`. Si la respuesta sigue siendo demasiado grande, pide menos `items`.',
  ),
  external_id_conflict: text(
    'El identificador externo ya está en uso',
    'Usa otro `external_id`, o lee el recurso que lo tiene: `GET /v1/external/assets/{external_id}`.',
  ),
  invalid_state: text(
    'Estado no válido',
    'Espera a que el recurso tenga el estado que indica `detail`, o cámbialo.',
  ),
  idempotency_in_progress: text(
    'Petición en curso',
    'La primera petición con esta Idempotency-Key no ha terminado. Repite la petición pasados los segundos de `Retry-After`.',
  ),
  write_conflict: text(
    'Conflicto de escritura',
    'Otra petición cambió el recurso al mismo tiempo. Repite la petición.',
  ),
  precondition_failed: text(
    'No se cumple la condición previa',
    'Vuelve a leer el recurso y envía su nuevo ETag en `If-Match`.',
  ),
  payload_too_large: text('Contenido demasiado grande', 'Envía menos datos; `detail` indica el límite.'),
  unsupported_media_type: text('Tipo de contenido no admitido', 'Envía `Content-Type: application/json`.'),
  validation_failed: text('La validación ha fallado', 'Corrige los miembros que indica `errors`.'),
  unknown_reference: text(
    'Referencia desconocida',
    '`errors` indica un identificador que no existe en esta cuenta. Corrígelo, o crea antes el recurso.',
  ),
  language_unsupported: text(
    'El idioma no está disponible',
    'Elige un idioma cuyas `features` en `GET /v1/languages` incluyan esta función, o añade idiomas como indica `detail`.',
  ),
  idempotency_key_reused: text(
    'Idempotency-Key reutilizada',
    'Una petición distinta usó esta clave en las últimas 24 horas. Envía una clave nueva.',
  ),
  upload_parts_mismatch: text(
    'Las partes subidas no coinciden',
    'Envía el ETag de cada parte subida, en el orden de las partes. Se conservan todas las partes subidas: sube solo las que faltan.',
  ),
  rate_limited: text('Demasiadas peticiones', 'Repite la petición pasados los segundos de `Retry-After`.'),
  internal_error: text(
    'Error interno',
    'Repite la petición con la misma Idempotency-Key. Si el error persiste, comunica el `request_id`.',
  ),
  temporarily_unavailable: text(
    'No disponible por el momento',
    'Repite la petición pasados los segundos de `Retry-After`.',
  ),
  not_implemented: text(
    'No implementado',
    'La petición es válida, pero esta versión aún no tiene la función.',
  ),
};

export const jobErrorsInSpanish: Readonly<Partial<Record<JobErrorCode, Text>>> = {
  media_unreadable: text(
    'El archivo no se puede leer',
    'Sube un archivo de vídeo o audio que se reproduzca; `detail` dice qué falla en este.',
  ),
  media_limit_exceeded: text(
    'El archivo supera un límite',
    'Acórtalo o recodifícalo para no superar el límite que indica `detail`.',
  ),
  audio_track_missing: text(
    'La pista de audio no existe',
    'Crea el recurso de nuevo con un `audio_track` válido; `source_tracks` del recurso fallido enumera las pistas.',
  ),
  language_unsupported: text(
    'El idioma no está disponible',
    'Elige un idioma cuyas `features` en `GET /v1/languages` incluyan esta función.',
  ),
  quota_exceeded: text(
    'Cuota superada',
    'Pide al operador una cuota mayor, o sube el archivo de nuevo el mes que viene (UTC). `GET /v1/assets/{asset_id}/quote` muestra antes lo que consume un trabajo.',
  ),
  language_uncertain: text(
    'El idioma es dudoso',
    'Crea el recurso de nuevo con su `language_id`. Si aquí ningún motor admite el idioma, `detail` dice cómo añadirlo.',
  ),
  engine_unavailable: text(
    'El motor no está instalado',
    'Instala el motor con la orden que indica `detail` y vuelve a crear el trabajo.',
  ),
  storage_access_denied: text(
    'El almacenamiento ha denegado el acceso',
    'Revisa las credenciales y los permisos del almacenamiento externo.',
  ),
  storage_not_found: text(
    'No se encuentra el almacenamiento',
    'Revisa el destino del almacenamiento externo.',
  ),
  storage_object_exists: text(
    'Ya existe otro archivo en esta ruta',
    'Mueve el otro archivo, cambia el `export_path` del almacenamiento o exporta de nuevo con `overwrite: true`.',
  ),
  platform_auth_expired: text(
    'La conexión con la plataforma ha caducado',
    'Vuelve a conectar la plataforma y publica de nuevo.',
  ),
  platform_rejected: text(
    'La plataforma ha rechazado el clip',
    'Cambia lo que indica `detail` y publica de nuevo.',
  ),
  canceled: text(
    'El trabajo se ha cancelado',
    'Vuelve a crear el trabajo. Si se ha eliminado su subida, sube el archivo de nuevo.',
  ),
  provider_unavailable: text('Un proveedor no está disponible', 'Vuelve a crear el trabajo más tarde.'),
  timed_out: text(
    'El trabajo ha tardado demasiado',
    'Vuelve a crear el trabajo. Si el error persiste, usa un recurso más corto.',
  ),
  internal_error: text(
    'Error interno',
    'Vuelve a crear el trabajo. Si el error persiste, comunica el `job_id`.',
  ),
};

/** Where a code appears: in answers of this host, in answers of the product API, or as the error of a job. */
export type Answerer = 'site' | 'api' | 'job';

export interface Answer {
  readonly by: Answerer;
  /** HTTP status; absent for errors of jobs. */
  readonly status: number | undefined;
  readonly title: string;
  readonly cure: string;
  /** Jobs only: whether the same job can succeed if it is created again. */
  readonly retryable: boolean | undefined;
}

export interface DocumentedProblem {
  readonly code: string;
  /** Fragment of `/problems` that `type` points to: the code with hyphens. */
  readonly anchor: string;
  /** More than one if several hosts have this code. */
  readonly answers: readonly Answer[];
}

export const anchorOf = (code: string): string => code.replaceAll('_', '-');

/** Returns all codes: first the codes of this host, then the codes of the API by status, then the codes that only jobs have. */
export function documentedProblems(language: 'en' | 'es'): DocumentedProblem[] {
  const spanish = language === 'es';
  const answers: [string, Answer][] = [
    ...kinds(siteProblems, 'site', spanish ? siteProblemsInSpanish : {}),
    ...kinds(problems, 'api', spanish ? problemsInSpanish : {}),
    ...kinds(jobErrors, 'job', spanish ? jobErrorsInSpanish : {}),
  ];
  const codes = [...new Set(answers.map(([code]) => code))];
  return codes.map((code) => ({
    code,
    anchor: anchorOf(code),
    answers: answers.filter(([other]) => other === code).map(([, answer]) => answer),
  }));
}

type Kinds = Readonly<Record<string, Text & { readonly status?: number; readonly retryable?: boolean }>>;

function kinds(
  registry: Kinds,
  by: Answerer,
  translated: Readonly<Record<string, Text>>,
): [string, Answer][] {
  return Object.entries(registry).map(([code, kind]) => {
    const { title, cure } = translated[code] ?? kind;
    return [code, { by, title, cure, status: kind.status, retryable: kind.retryable }];
  });
}
