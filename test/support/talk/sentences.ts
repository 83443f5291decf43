/** Everyday English sentences, combined from parts. Nearly all words are in the CMU pronouncing dictionary. */
import type { Random } from './random.ts';

/** Returns the given number of different sentences. More than ten thousand are possible. */
export function differentSentences(random: Random): () => string {
  const said = new Set<string>();
  return () => {
    let text = sentence(random);
    while (said.has(text)) text = sentence(random);
    said.add(text);
    return text;
  };
}

function sentence(random: Random): string {
  const text = random
    .pick(patterns)
    .replace(/\{(\w+)\}/g, (_, part: string) => random.pick(parts[part as keyof typeof parts]));
  return text[0]!.toUpperCase() + text.slice(1);
}

const patterns = [
  '{person} {did} {thing} {place} {time}.',
  '{time} {person} {did} {thing}.',
  '{person} wanted to {act} {thing} before {event}.',
  'We have to {act} {thing} because {reason}.',
  'I think that {person} will {act} {thing} {time}.',
  'Could you {act} {thing} {place} for me?',
  'Why did {person} {act} {thing} {time}?',
  'After {event}, {person} {did} {thing}.',
  '{things} are {quality}, but {otherthings} are {otherquality}.',
  'Nobody knows why {things} are so {quality} {time}.',
  'If {reason}, we should {act} {thing} first.',
  'There is {thing} {place}, and it looks {quality}.',
  '{person} told me that {reason}.',
  'Please do not {act} {thing} during {event}.',
  'It was {quality} to see {person} {place} again.',
  'How many people will come to {event} {place}?',
  'The first question is whether {things} can be {otherquality}.',
  'Last year {person} moved to {town} and {did} {thing}.',
  'The road from {town} to {othertown} is {quality} {time}.',
  'My {relative} always says that {things} are {quality}.',
  'When {reason}, {person} usually stays {place}.',
  '{person} paid {number} dollars for {thing}.',
  'It takes {number} minutes to walk from {spot} to the station.',
  'Only {number} of the visitors had heard about {event}.',
];

/** The phrases between commas. */
const listed = (phrases: string) => phrases.split(/,\s+/);

const parts = {
  person: listed(
    `the teacher, my neighbor, a young doctor, the old farmer, our manager, the new student, her sister,
     his brother, the driver, an engineer, the captain, a friend of mine, the mayor, the nurse,
     the woman next door, everyone in the office`,
  ),
  did: listed(
    `found, painted, repaired, carried, bought, described, cleaned, lost, borrowed, finished, noticed,
     opened, sold, measured, forgot, returned`,
  ),
  act: listed(
    `find, paint, repair, carry, buy, describe, clean, sell, borrow, finish, open, move, measure, change,
     return, watch`,
  ),
  thing: listed(
    `a wooden table, the broken window, a letter from the bank, the blue bicycle, an interesting book,
     the kitchen door, a small boat, a box of apples, the winter coat, a map of the city, the old camera,
     a pair of shoes, the morning paper, a silver ring, the garden fence, a bottle of water,
     the history lesson, a basket of bread, the green umbrella, an expensive watch`,
  ),
  place: listed(
    `in the kitchen, near the river, at the market, behind the school, on the second floor, at the airport,
     under the bridge, in front of the museum, at home, in the library, by the lake, in the village,
     across the street, at the hospital, in the garden`,
  ),
  spot: listed(
    `the library, our house, the river, the old bridge, the hotel, the school, her office, the beach,
     the church, the park, the city hall, the hospital`,
  ),
  time: listed(
    `this morning, on Monday, in the summer, at the end of the day, after dinner, before sunrise,
     in the middle of the night, every weekend, in September, these days, during the holidays,
     at half past seven, on a rainy afternoon, once a month, for the first time`,
  ),
  event: listed(
    `the meeting, the long concert, his birthday party, the final exam, a heavy storm, the football game,
     their wedding, the election, lunch, the train ride, the opening speech, a short break,
     the school play, the harvest`,
  ),
  reason: listed(
    `the weather is getting worse, the shop closes early, the children are still asleep,
     the price has gone up again, nobody answered the phone, the water is too cold,
     the last bus has already left, the computer stopped working, the guests arrive tomorrow,
     the report is not ready, we ran out of money, the roof needs to be fixed, the plan was changed,
     the lights went out`,
  ),
  things: listed(
    `the new machines, fresh vegetables, the mountains, modern trains, the rules, small companies,
     the evening classes, cheap tickets, the streets, wild animals, the results, these numbers`,
  ),
  otherthings: listed(
    `the old ones, the roads, most of the others, the prices, the buildings, our friends, the days,
     the questions, the rooms, the answers`,
  ),
  quality: listed(
    `beautiful, difficult, quiet, dangerous, wonderful, strange, useful, rather expensive, surprising,
     perfectly normal, very important, a little boring, famous, simple`,
  ),
  otherquality: listed(
    `improved, forgotten, trusted, avoided, explained, counted, counted twice, better known, replaced,
     taken seriously, compared, understood`,
  ),
  town: listed('London, Boston, Chicago, Paris, Berlin, Denver, Madrid, Houston, Vienna, Seattle'),
  othertown: listed('Dallas, Rome, Dublin, Miami, Toronto, Lisbon, Portland, Sydney, Oxford, Cairo'),
  relative: listed('mother, father, uncle, grandfather, aunt, cousin, daughter, grandmother, son'),
  number: listed('three, twelve, twenty five, forty, fifteen, ninety, two hundred, six, eleven, thirty'),
};
