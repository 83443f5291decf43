/** English word lists for restoring sentences. They say how sentences begin, how they end, and where they never end. */

/** Words that belong to the next word. If a sentence stops after such a word, the speaker broke the sentence off. */
export const unfinished = wordSet(
  'a an the my your our their every each another whose',
  'and but or nor because although though unless until while whereas whether if than',
  'i we they he she who which',
  'very quite rather really',
  "i'm you're he's she's it's we're they're i've we've you've they've i'll you'll we'll they'll he'll she'll",
  'into onto upon among toward towards except despite via per',
  'mr. mrs. ms. dr. mister doctor professor',
);

/** Words that usually belong to the next word, but sometimes end a sentence ("where are you from", "yes we can"). */
export const leaning = wordSet(
  'to of from with at for by as about like during between against without through under across near behind beyond within',
  'is are was were am be been being has have had do does did will would shall should can could might must',
  "don't doesn't didn't won't can't isn't aren't wasn't weren't wouldn't couldn't shouldn't haven't hasn't hadn't",
);

/** Words that are more frequent within a sentence than at its end. */
export const seldomLast = wordSet(
  'in on over around off out up down this these those some any no his her its not so when where how what why that',
  'just only also even still there more most less many much such both all one two three four five six seven eight nine',
  'going want wants wanted may',
);

/** Words that begin a noun phrase. A sentence seldom ends between a word of `leaning` and such a word. */
export const determiners = wordSet(
  'the a an my your his her its our their this that these those some any every each another no one two three',
);

/** Verb forms that follow a subject and rarely begin a sentence. Words in -ed count too, but are not listed. */
export const finite = wordSet(
  'went gone came got took gave made said told knew thought saw heard felt kept sat stood began ran brought bought',
  'built broke became held lost met paid wrote spoke spent taught won sent fell grew drew drove ate drank sang flew led',
  'lay rose sold slept wore chose caught fought forgot understood meant goes comes gets takes gives makes says tells',
  'knows thinks sees hears feels finds keeps leaves puts sets sits stands begins runs brings buys builds breaks becomes',
  'holds loses meets pays reads writes speaks spends teaches wins sends falls grows draws drives eats drinks sings flies',
  'leads lies rises sells sleeps wears chooses catches wants needs likes loves uses works looks seems tries calls helps',
  'talks turns starts stops shows plays moves lives believes happens includes continues learns changes follows means',
);

/** Words that almost never begin a sentence. */
export const neverFirst = wordSet(
  'of than ago me him us them myself himself herself itself ourselves themselves been be being too either',
  'until onto upon toward towards among whom whose per else',
);

/** Words that continue a sentence more often than they begin one. */
export const seldomFirst = wordSet(
  'and or but so because that which who where while whether as to for from with into by about than like',
  'through under over across around behind beyond within without against between during near off out up down',
  'is are was were am has have had do does did will would shall should can could may might must not',
  'again yet away back together well-known apart enough until',
);

export const oftenFirst = wordSet(
  "i we he she they it you there this these those i'm we're he's she's they're it's you're that's there's",
  "i've we've i'll we'll you'll i'd we'd let let's",
  'the a an my our his her their its some many most each every all nobody everybody somebody everyone',
  'well now then however yes no okay ok thank thanks please today first second third finally next last',
  'hello hi good goodbye welcome if when after before since although maybe perhaps sometimes suddenly',
  'what why how who where did do are can could would will is',
  'once two three only of another one',
);

export const complete = wordSet(
  'yes no okay ok right well sorry thanks hello hi goodbye bye exactly really please sure great good welcome never',
  'always absolutely certainly correct wait stop look listen why what who where when how nobody nothing oh',
);

/** Words that begin a clause that needs a second clause. */
export const subordinators = wordSet(
  'if when after before because although though while since as unless until whenever once whereas',
);

/** Verbs in the forms that make a clause. Verbs in -ed are missing, because their ending identifies them. */
export const verbs = wordSet(
  'is are was were am be has have had do does did will would shall should can could may might must cannot',
  "isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't can't couldn't shouldn't",
  "i'm you're he's she's it's we're they're that's there's what's where's who's how's here's let's",
  "i've you've we've they've i'll you'll he'll she'll it'll we'll they'll i'd you'd he'd she'd we'd they'd",
  'let please thank thanks welcome',
  'go goes went gone come comes came get gets got take takes took give gives gave make makes made',
  'say says said tell tells told ask asks know knows knew think thinks thought see sees saw hear hears heard',
  'feel feels felt find finds found keep keeps kept leave leaves left put puts set sets sit sits sat stand stands stood',
  'begin begins began run runs ran bring brings brought buy buys bought build builds built break breaks broke',
  'become becomes became hold holds held lose loses lost meet meets met pay pays paid read reads write writes wrote',
  'speak speaks spoke spend spends spent teach teaches taught win wins won send sends sent fall falls fell',
  'grow grows grew draw draws drew drive drives drove eat eats ate drink drinks drank sing sings sang fly flies flew',
  'lead leads led lie lies lay rise rises rose sell sells sold sleep sleeps slept wear wears wore choose chooses chose',
  'catch catches caught fight fights fought forget forgets forgot hit hits hurt hurts let lets shut cost costs cut cuts',
  'want wants need needs like likes love loves use uses work works look looks seem seems try tries call calls',
  'help helps talk talks turn turns start starts stop stops show shows play plays move moves live lives believe believes',
  'happen happens include includes continue continues learn learns change changes follow follows understand understands',
  'understood watch watches hope hopes mean means meant remember remembers open opens walk walks wait waits stay stays',
  'die dies cross crosses carry carries depend depends contain contains cause causes remain remains allow allows',
  'add adds expect expects appear appears listen listens enjoy enjoys agree agrees arrive arrives plan plans explain',
  'cried cries threw throw throws swim swam hid hide shook shake slid stuck struck swore tore woke wove dug hung spun',
);

/** Words that always have a capital letter. Words with other meanings (march, may, polish) are missing. */
export const properNames = wordSet(
  'monday tuesday wednesday thursday friday saturday sunday',
  'january february april june july august september october november december',
  'english french german spanish italian russian chinese japanese american british european african indian canadian',
  'america europe africa asia england scotland ireland france germany spain italy russia india canada australia mexico',
  'london paris berlin chicago california texas washington christmas',
  'mr. mrs. ms. dr. mister',
);

/** Words before a name. */
export const titles = wordSet('mr. mrs. ms. dr. mister');

export const ambiguousMonths = wordSet('march may');
export const beforeMonths = wordSet('in of since until late early last next');

export const capitalAbbreviations = wordSet('u.s. u.k. u.n. u.s.a. d.c.');

const auxiliaries =
  "is|are|was|were|do|does|did|can|could|would|will|has|have|had|should|shall|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|couldn't|wouldn't|won't|hasn't|haven't|shouldn't";
const persons = 'i|you|he|she|it|we|they|anyone|anybody|someone|somebody';
const subject = `(?:${persons}|there|this|that|these|those|people|the|a|an|my|your|his|her|our|their|its)\\b`;
const opening = '^(?:(?:and|but|so|well|now|then|okay|or|oh) )*';
/** One or two words that cannot be the subject of a clause: "(what) other kind", "(how many) wires". */
const noun = `(?: (?!${subject})\\S+){1,2}`;

/**
 * Patterns of sentences that are certainly questions, in small letters with single spaces. "Had I", "should you" and
 * "were he" are missing, because they also begin conditions. "What I like" and "when we came" are missing too.
 */
export const questions: readonly RegExp[] = [
  `${opening}(?:why|when|where|what|who|whom|how|what else|how (?:many|much|long|often|far|old|big|else)) (?:${auxiliaries}) ${subject}`,
  `${opening}(?:what|which|whose|how many|how much|how)${noun} (?:${auxiliaries}) ${subject}`,
  `${opening}how (?:many|much) \\S+ (?:${auxiliaries}) `,
  `${opening}(?:what's|where's|who's|how's) (?:the|your|his|her|this|that|it|going|wrong)\\b`,
  `${opening}(?:why not|what about|how about) \\S`,
  `${opening}(?:do|don't|have|haven't|may|shall) (?:i|you|we|they)\\b`,
  `${opening}(?:is|are|was|does|did|has|can|could|will|would|isn't|aren't|wasn't|doesn't|didn't|hasn't|can't|couldn't|won't|wouldn't) ${subject}`,
  // A question tag: "You knew that, didn't you".
  `\\S (?:isn't|aren't|wasn't|weren't|don't|doesn't|didn't|won't|wouldn't|can't|couldn't|shouldn't|haven't|hasn't) (?:${persons}|there)$`,
].map((pattern) => new RegExp(pattern));

function wordSet(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}
