/** Texts of the page frame, in both languages. */
import type { Availability } from '../model/availability.ts';
import type { Answerer } from '../problems.ts';
import type { Language } from '../site.ts';

const en = {
  /** The BCP 47 tag used to format dates. */
  locale: 'en-GB',
  skip: 'Skip to the content',
  mainNavigation: 'Main',
  breadcrumbs: 'Breadcrumbs',
  home: 'Home',
  contents: 'On this page',
  neighbours: 'Previous and next page',
  previous: 'Previous',
  next: 'Next',
  switchTo: 'Leer en español',
  forMachines: 'Are you an agent? Start at',
  asMarkdown: 'This page as Markdown',
  copy: 'Copy',
  copied: 'Copied',
  table: 'Table',
  footerPages: 'Kinora',
  footerMachines: 'For agents',
  footerLegal: 'Legal',
  licence: 'Kinora is open source under the Apache License 2.0.',
  apiReference: 'API reference',
  /** The short name of the API reference, for the navigation. */
  reference: 'API reference',
  availability: { works: 'Works today', partly: 'Works in part', planned: 'Planned' } satisfies Record<
    Availability,
    string
  >,
  /** Precedes the list of operations that answer 501. */
  refusedSoFar: 'These operations still answer `501 not_implemented`:',
  /** Comes before commands if the address of the repository is unknown. */
  cloneFirst: 'Clone the repository of Kinora. In your clone, run:',
  /** Comes before commands if the address of the repository is known. */
  cloneHere: 'These commands clone the repository and run in your clone:',
  answeredBy: (by: Answerer, status: number) =>
    by === 'site' ? `This host, ${status}.` : `Product API, ${status}.`,
  answeredByJob: 'Error of a job.',
  retryable: 'The same job can succeed if you create it again.',
  final: 'Without a change, the same job fails again.',
};

export type Strings = typeof en;

const es: Strings = {
  locale: 'es-ES',
  skip: 'Ir al contenido',
  mainNavigation: 'Principal',
  breadcrumbs: 'Ruta de navegación',
  home: 'Inicio',
  contents: 'En esta página',
  neighbours: 'Página anterior y siguiente',
  previous: 'Anterior',
  next: 'Siguiente',
  switchTo: 'Read in English',
  forMachines: '¿Eres un agente? Empieza por',
  asMarkdown: 'Esta página en Markdown',
  copy: 'Copiar',
  copied: 'Copiado',
  table: 'Tabla',
  footerPages: 'Kinora',
  footerMachines: 'Para agentes',
  footerLegal: 'Información legal',
  licence: 'Kinora es software libre con licencia Apache 2.0.',
  apiReference: 'Referencia de la API',
  reference: 'Referencia',
  availability: { works: 'Funciona hoy', partly: 'Funciona en parte', planned: 'Previsto' },
  refusedSoFar: 'Estas operaciones aún responden `501 not_implemented`:',
  cloneFirst: 'Clona el repositorio de Kinora. En tu copia, ejecuta:',
  cloneHere: 'Estos comandos clonan el repositorio y se ejecutan en tu copia:',
  answeredBy: (by, status) => (by === 'site' ? `Este host, ${status}.` : `API del producto, ${status}.`),
  answeredByJob: 'Error de un trabajo.',
  retryable: 'El mismo trabajo puede salir bien si lo creas de nuevo.',
  final: 'Sin ningún cambio, el mismo trabajo vuelve a fallar.',
};

export const strings: Readonly<Record<Language, Strings>> = { en, es };
