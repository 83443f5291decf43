/** Texts of the page frame, in both languages. */
import type { Availability } from '../model/availability.ts';
import type { Answerer } from '../problems.ts';
import type { Language } from '../site.ts';

export interface Strings {
  /** The BCP 47 tag used to format dates. */
  readonly locale: string;
  /** The name of the language, in that language. */
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
  /** Precedes the list of operations that answer 501. */
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
    reference: 'API reference',
    availability: { works: 'Works today', partly: 'Works in part', planned: 'Planned' },
    refusedSoFar: 'These operations still answer `501 not_implemented`:',
    cloneFirst: 'Clone the repository of Kinora. In your clone, run:',
    cloneHere: 'These commands clone the repository and run in your clone:',
    answeredBy: (by, status) => (by === 'site' ? `This host, ${status}.` : `Product API, ${status}.`),
    answeredByJob: 'Error of a job.',
    retryable: 'The same job can succeed if you create it again.',
    final: 'The same job fails again.',
  },
  es: {
    locale: 'es-ES',
    ownName: 'Español',
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
    final: 'El mismo trabajo vuelve a fallar.',
  },
};
