/** Words of the page's frame, in both languages. */
import type { Availability } from '../model/availability.ts';
import type { Answerer } from '../problems.ts';
import type { Language } from '../site.ts';

export interface Strings {
  /** The BCP 47 tag used to format dates. */
  readonly locale: string;
  /** Name of the language in itself. */
  readonly ownName: string;
  readonly skip: string;
  readonly mainNavigation: string;
  readonly breadcrumbs: string;
  readonly home: string;
  readonly contents: string;
  readonly neighbours: string;
  readonly previous: string;
  readonly next: string;
  readonly switchTo: string;
  readonly forMachines: string;
  readonly asMarkdown: string;
  readonly copy: string;
  readonly copied: string;
  readonly table: string;
  readonly footerPages: string;
  readonly footerMachines: string;
  readonly footerLegal: string;
  readonly licence: string;
  readonly apiReference: string;
  /** The short form for narrow places. */
  readonly reference: string;
  /** Availability marks. */
  readonly availability: Readonly<Record<Availability, string>>;
  /** The text before the list of operations that answer 501. */
  readonly refusedSoFar: string;
  /** The step before a page's commands, with and without a known address of the repository. */
  readonly cloneFirst: string;
  readonly cloneHere: string;
  readonly answeredBy: (by: Answerer, status: number) => string;
  readonly answeredByJob: string;
  readonly retryable: string;
  readonly final: string;
}

export const strings: Readonly<Record<Language, Strings>> = {
  en: {
    locale: 'en-GB',
    ownName: 'English',
    skip: 'Skip to the content',
    mainNavigation: 'Main',
    breadcrumbs: 'Breadcrumbs',
    home: 'Home',
    contents: 'On this page',
    neighbours: 'Before and after',
    previous: 'Previous',
    next: 'Next',
    switchTo: 'Leer en español',
    forMachines: 'Reading as a machine? Start at',
    asMarkdown: 'This page as Markdown',
    copy: 'Copy',
    copied: 'Copied',
    table: 'Table',
    footerPages: 'Kinora',
    footerMachines: 'For machines',
    footerLegal: 'Small print',
    licence: 'Kinora is open source under the Apache License 2.0.',
    apiReference: 'API reference',
    reference: 'API reference',
    availability: { works: 'Works today', partly: 'Works in part', planned: 'Planned' },
    refusedSoFar: 'Answered `501 not_implemented` so far:',
    cloneFirst: 'Clone the repository of Kinora; this runs inside of the clone:',
    cloneHere: 'This clones the repository and runs inside of the clone:',
    answeredBy: (by, status) => (by === 'site' ? `This host, ${status}.` : `Product API, ${status}.`),
    answeredByJob: 'Error of a job.',
    retryable: 'The same job can succeed on another try.',
    final: 'Trying the same again ends the same.',
  },
  es: {
    locale: 'es-ES',
    ownName: 'Español',
    skip: 'Ir al contenido',
    mainNavigation: 'Principal',
    breadcrumbs: 'Ruta de navegación',
    home: 'Inicio',
    contents: 'En esta página',
    neighbours: 'Anterior y siguiente',
    previous: 'Anterior',
    next: 'Siguiente',
    switchTo: 'Read in English',
    forMachines: '¿Lees como máquina? Empieza por',
    asMarkdown: 'Esta página en Markdown',
    copy: 'Copiar',
    copied: 'Copiado',
    table: 'Tabla',
    footerPages: 'Kinora',
    footerMachines: 'Para máquinas',
    footerLegal: 'Letra pequeña',
    licence: 'Kinora es software libre con licencia Apache 2.0.',
    apiReference: 'Referencia de la API',
    reference: 'Referencia',
    availability: { works: 'Funciona hoy', partly: 'Funciona en parte', planned: 'Previsto' },
    refusedSoFar: 'Responden `501 not_implemented` por ahora:',
    cloneFirst: 'Clona el repositorio de Kinora; esto se ejecuta dentro de la copia:',
    cloneHere: 'Esto clona el repositorio y se ejecuta dentro de la copia:',
    answeredBy: (by, status) => (by === 'site' ? `Este host, ${status}.` : `API del producto, ${status}.`),
    answeredByJob: 'Error de un trabajo.',
    retryable: 'El mismo trabajo puede salir bien en otro intento.',
    final: 'Repetir lo mismo acaba igual.',
  },
};
