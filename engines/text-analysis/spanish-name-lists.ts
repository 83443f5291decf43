/** Names of people, places and organizations in Spanish, in lower case. */

/** The most common given names of Spain and Latin America. */
export const personNames: ReadonlySet<string> = new Set(
  `adrián agustín alba alberto alejandra alejandro alfonso alfredo alicia álvaro amparo ana andrea andrés ángel ángela
  ángeles antonia antonio arturo beatriz begoña benito blanca carla carlos carlota carmen carolina catalina cecilia césar
  clara claudia concepción consuelo cristian cristina daniel daniela david diana diego dolores domingo eduardo elena elisa
  emilia emilio enrique ernesto esteban ester eva federico felipe félix fernanda fernando fidel francisca francisco gabriel
  gabriela gerardo germán gloria gonzalo gregorio guadalupe guillermo gustavo héctor hugo ignacio inés inmaculada irene
  isabel ismael iván jaime javier jesús jimena joaquín jordi jorge josé josefa juan juana julia julián julio laura leonor
  leticia lorena lorenzo lourdes lucas lucía luis luisa magdalena manuel manuela marcos margarita maría mariano marina mario
  marta martín mateo matilde mauricio mercedes miguel mónica montserrat natalia nicolás nieves noelia nuria óscar pablo
  paloma patricia pedro pilar rafael ramiro ramón raquel raúl ricardo roberto rocío rodrigo rogelio rosa rosario rubén
  salvador samuel sandra santiago sara sebastián sergio silvia simón sofía soledad sonia susana teresa tomás valentina
  vanesa vicente víctor victoria virginia xavier yolanda`.split(/\s+/),
);

/** Countries, regions and large cities. The runtime provides the names of countries (CLDR). */
export const places: ReadonlySet<string> = new Set([...countries(), ...listed()]);

function countries(): string[] {
  const names = new Intl.DisplayNames(['es'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((one) => letters.flatMap((other) => names.of(one + other)?.toLowerCase() ?? []));
}

function listed(): string[] {
  return `a coruña, áfrica, albacete, alemania, alicante, almería, américa, américa latina, amsterdam, andalucía, antártida,
  aragón, asia, asturias, asunción, atenas, ávila, badajoz, baleares, barcelona, berlín, bilbao, bogotá, bruselas, buenos
  aires, burgos, cáceres, cádiz, cali, canarias, cantabria, caracas, castilla y león, castilla-la mancha, cataluña, ceuta,
  chicago, ciudad de méxico, ciudad real, córdoba, cuenca, ecuador, el salvador, estados unidos, europa, extremadura,
  florencia, galicia, gibraltar, girona, granada, guadalajara, guatemala, guayaquil, hispanoamérica, huelva, huesca, ibiza,
  jaén, kiev, la habana, la paz, la rioja, las palmas, latinoamérica, león, lima, lisboa, lleida, logroño, londres, los
  ángeles, lugo, madrid, málaga, mallorca, managua, medellín, melilla, mérida, milán, monterrey, montevideo, moscú, múnich,
  murcia, navarra, nueva york, oceanía, oporto, ourense, oviedo, país vasco, palencia, palma, pamplona, parís, pekín,
  pontevedra, praga, quito, reino unido, roma, rosario, rusia, salamanca, san juan, san sebastián, santander, santiago de
  chile, santiago de compostela, santo domingo, são paulo, segovia, sevilla, shanghái, soria, tarragona, tegucigalpa,
  tenerife, teruel, tokio, toledo, toulouse, valencia, valladolid, valparaíso, venecia, viena, vigo, vitoria, washington,
  zamora, zaragoza, zúrich`
    .split(',')
    .map((name) => name.replace(/\s+/g, ' ').trim());
}

export const organizationWords: ReadonlySet<string> = new Set(
  `academia agencia asamblea asociación ateneo athletic atlético audiencia ayuntamiento banco biblioteca bolsa bomberos cámara
  casa club colegio comisión comité compañía confederación congreso consejería consejo corporación cortes cruz diputación
  ejército empresa escuela facultad federación fiscalía fundación fútbol gobierno grupo guardia hospital iglesia instituto
  junta laboratorio liga ministerio museo onu orquesta parlamento partido policía radio real sindicato sociedad televisión
  tribunal unión universidad`.split(/\s+/),
);
