/** Short talks whose subject is known, written for these tests, with the code of what they are about. */
export interface Talk {
  readonly language: 'en' | 'es';
  readonly code: string;
  readonly texts: readonly string[];
}

export const talks: Readonly<Record<string, Talk>> = {
  cookery: {
    language: 'en',
    code: '3.8.3',
    texts: [
      'Today we cook a simple tomato soup with garlic and olive oil.',
      'First we chop two onions and fry them gently in a large pan.',
      'Add the garlic, a pinch of salt and a teaspoon of sugar.',
      'The ripe tomatoes go into the pan with a little pepper.',
      'Let the soup simmer for twenty minutes and stir it now and then.',
      'A good soup needs salt at the end, so taste it before serving.',
      'Toast some bread in the oven with butter and cheese.',
      'Serve the tomato soup hot, with cream and with the bread.',
    ],
  },
  space: {
    language: 'en',
    code: '3.1.6.5',
    texts: [
      'The rocket carried a new telescope into orbit around the sun.',
      'Astronomers want to observe distant galaxies and young stars.',
      'The telescope unfolded its mirror three weeks after the launch.',
      'Its orbit lies far beyond the moon, where the sky is dark.',
      'The first pictures show a galaxy that is older than the solar system.',
      'NASA says that the spacecraft has fuel for twenty years.',
      'A planet beside a small star has water in its atmosphere.',
      'Next year astronauts will return to the moon with a larger rocket.',
    ],
  },
  football: {
    language: 'en',
    code: '3.2.3.12',
    texts: [
      'The match ended with three goals in the last ten minutes.',
      'The striker scored twice, once from a penalty and once with a header.',
      'The referee showed a red card after a foul at midfield.',
      'The goalkeeper saved a free kick that was meant for the corner.',
      'The coach praised the defenders of his team after the match.',
      'With this goal the team leads the league for the first time this season.',
      'The stadium was full, and supporters sang until the last kick.',
      'The club will play the cup final against the champions in May.',
    ],
  },
  medicine: {
    language: 'en',
    code: '3.1.6.7',
    texts: [
      'Doctors at the hospital tested a new vaccine against the virus.',
      'Patients who received the vaccine had fewer symptoms.',
      'The treatment of severe infections still needs antibiotics.',
      'Nurses measured the blood pressure of every patient twice a day.',
      'The immune system remembers the virus for several years.',
      'A clinic for heart disease opened beside the hospital.',
      'Surgeons removed the tumor, and the patient recovered within a week.',
      'The therapy costs less than the drugs that doctors prescribed before.',
    ],
  },
  politics: {
    language: 'es',
    code: '3.1.1.6',
    texts: [
      'El parlamento votó anoche la nueva ley electoral del gobierno.',
      'La oposición acusó al presidente de ignorar a los diputados.',
      'El partido del presidente perdió las últimas elecciones municipales.',
      'La ministra anunció un referéndum para el próximo otoño.',
      'Los diputados de la coalición negociaron hasta la madrugada.',
      'El senado rechazó la propuesta política del gobierno.',
      'Los alcaldes piden al congreso una votación antes del verano.',
    ],
  },
};
