/** Texts with known names, sentiment and subject, written for these tests. */
export const englishNews = [
  'Good evening, this is Ana Ruiz reporting from Seville for the BBC.',
  'The European Commission announced today that Microsoft and Google will have to pay a fine of two billion euros.',
  'Prime Minister Keir Starmer met Emmanuel Macron in Paris on Tuesday, March 4th.',
  'It was a wonderful meeting, and both leaders were very pleased with the excellent results.',
  'The University of Oxford published a study about climate change in the United States.',
];

export const spanishNews = [
  'Buenas noches, les habla Ana Ruiz desde Sevilla para Radio Nacional de España.',
  'La Comisión Europea anunció ayer que Microsoft tendrá que pagar una multa.',
  'El presidente Pedro Sánchez se reunió con Emmanuel Macron en París el martes 4 de marzo.',
  'Fue una reunión terrible, un fracaso absoluto y una vergüenza para España y Portugal.',
  'El Gobierno de España no está contento. La Universidad de Sevilla estudia el cambio climático.',
];
