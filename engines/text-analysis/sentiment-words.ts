/**
 * Positive and negative words, collected for Kinora: we found no list for both languages with a license that allows redistribution.
 * An entry that ends in `*` matches all words that start with it.
 */
import { primarySubtag } from '../engine.ts';

const english = {
  positive: `admir* amazing amazed appreciat* awesome beautiful* best better blessed brave brilliant* celebrat* charming
    cheer* clever comfortabl* congratulat* courag* creative delicious delight* eager easy effective efficient elegan* enjoy*
    enthusias* excellen* excit* fabulous fair fantastic* fascinat* favorite favourite fine fond fortunate* freedom friend*
    fun generous* gentle gift glad glorious good gorgeous grace* grateful* great* happ* harmon* heal* healthy helpful* hero*
    honest* honor* honour* hope hopeful* ideal impress* improv* incredibl* inspir* intelligent interesting joy* kindness
    laugh* lively love loved lovely loves loving loyal luck* magnificent marvel* memorable nice optimis* outstanding
    passion* peace* perfect* pleasant* pleased pleasing pleasure positive* praise* precious pride promis* proud* recommend* reliabl*
    relie* remarkabl* respect* reward* rich safe* satisf* secure smart smil* splendid strong* stunning succe* superb support*
    sweet talented terrific thank* thrill* thriv* tremendous* triumph* trust* useful valuable victor* warm* welcom* win
    winner* winning wins wise wonderful* worth* wow`,
  negative: `abus* afraid aggress* alarm* angr* annoy* anxi* appall* asham* attack* awful* bad badly ban blame* bored boring
    broke* burden* cancer catastroph* chao* cheat* collaps* complain* complaint* confus* conflict* corrupt* crash* 
    crisis crises critici* cruel* cry* damag* danger* dead deadl* death* defeat* depress* desperat* destr* die died dies
    difficult* dirty disagree* disappoint* disaster* diseas* disgrac* disgust* dislike* disturb* doubt* dread* emergency
    enem* error* evil fail* fake* fatal fear* fight* flaw* fool* fraud* frighten* frustrat* furious grief griev* guilt* harm*
    hate hated hateful hates hatred horr* hostil* hurt* ignor* ill illness* impossible inadequate injur* injustice insult* kill* lack* lied lies lonely
    lose losing loss* lost mad mess* miser* mistak* murder* nasty negativ* nervous* nightmare* offen* pain* panic* pathetic
    poison* pollut* poor poverty problem* protest* racis* refus* regret* reject* risk* ruin* sad sadly sadness scandal* scare* scary
    shame* shock* sick* sorr* stress* struggl* stupid* suffer* suspic* terrib* terrif* terror* threat* tired toxic trag*
    trauma* trouble* ugly unacceptable unfair* unfortunate* unhapp* unsafe upset* useless victim* violen* war wars warn* weak*
    worr* worse worst worthless wound* wrong*`,
  negations: `no not never nothing nobody none neither nor without hardly barely cannot can't couldn't don't doesn't didn't
    isn't aren't wasn't weren't won't wouldn't shouldn't haven't hasn't`,
  stronger: 'absolutely completely deeply extremely highly incredibly really so totally truly very',
};

const spanish = {
  positive: `abraz* acert* aciert* admir* agradabl* agradec* alegr* alivi* amab* amar amig* amistad amo amor* animad* animar* apasion*
    apoy* aprecia* atractiv* avance* bell* benefici* bienvenid* bonit* bravo brillant* buen buena buenas buenos
    calidad cariñ* celebr* cómod* confianza confia* content* cordial* crea* delicios* disfrut* divertid* dulce* educad*
    eficac* eficien* elegant* encant* enhorabuena entusias* esperanza* espectacular* espléndid* estupend* excelen* éxito*
    extraordinari* fabulos* fácil* fantástic* fascina* favorit* felic* feliz* genial* generos* gloria*  
    grandios* gratitud guap* gust* hermos* honest* honor* héroe* ideal* ilusion* ilusión impecable* impresionant* increíble*
    ingenios* inolvidable* inspira* inteligen* interesant* justicia libertad linda lindo lindos logr* lujo magnífic* maravill*
    mejor* merec* motiv* noble* optimis* orgull* oportunidad* paz perfect* placer* positiv* precios* premi* prometedor*
    progres* próspe* recomend* reconoc* respet* rica ricas rico ricos risa* sabiduría sabio* salud* satisf* segur* simpátic* solidari* sonr* sorprendent*
    talent* tranquil* triunf* útil* valios* valient* ventaj* victoria* virtud*`,
  negative: `aburr* abus* accident* acos* agoni* agres* alarm* amarg* amenaz* angusti* ansiedad asco asesin* ataq* atac*
    aterr* azot* bronca* caos catástrof* celos* cobard* conden* conflict* confus* corrup* crimen* crisis critic* crític*
    cruel* culp* daño* dañ* débil* decepcion* defect* defraud* delito* deplor* depre* derrot* desastr* desemple* desesper*
    desgraci* desigual* despid* desprec* destru* detest* deuda* difícil* dificultad* discrimin* dolor* duel* dud* enemig*
    enferm* enfad* engañ* error* escándal* escas* estafa* estúpid* explot* falla* fallo* fals* fatal* feo feos fracas* fraude*
    frustr* furi* guerra* hambre herid* horribl* horror* hostil* humill* ignor* imposible* incend* incapa* indign* inestab*
    injust* insegur* insult* inútil* ira lágrim* lament* mal mala malas malo malos maldad maltrat* mentir* mied* miser*
    molest* mort* muert* murió negativ* nervios* obstácul* odi* ofen* olvid* pánico pelea* pelig* pena* perdid* pérdid* perder*
    pesadilla* peor* pesimis* pobre* preocup* problem* protest* quej* rabia racis* rechaz* ries* robo* roto ruina sangr* soled*
    sospech* sucio sufr* suicid* temor* tens* terribl* terror* tonto* tóxic* trag* traici* tramp* trist* vergüenz* vergonz*
    víctim* violen*`,
  negations: 'no nunca jamás nada nadie ni sin tampoco ningún ninguna ninguno',
  stronger:
    'absolutamente bastante completamente demasiado extremadamente muy realmente sumamente tan totalmente',
};

export interface SentimentWords {
  /** Returns 1 for a positive word, -1 for a negative word, and 0 for any other word. */
  polarity(word: string): -1 | 0 | 1;
  readonly negations: ReadonlySet<string>;
  readonly stronger: ReadonlySet<string>;
}

const lexicons: Readonly<Record<string, SentimentWords>> = { en: lexicon(english), es: lexicon(spanish) };

/** Returns the word lists of a language. Null if there are none. @param language BCP 47 tag */
export const sentimentWords = (language: string): SentimentWords | null =>
  lexicons[primarySubtag(language)] ?? null;

function lexicon({ positive, negative, negations, stronger }: typeof english): SentimentWords {
  const isPositive = matcherOf(positive);
  const isNegative = matcherOf(negative);
  return {
    polarity: (word) => (isPositive(word) ? 1 : isNegative(word) ? -1 : 0),
    negations: new Set(negations.split(/\s+/)),
    stronger: new Set(stronger.split(/\s+/)),
  };
}

function matcherOf(list: string): (word: string) => boolean {
  const entries = list.split(/\s+/);
  const whole = new Set(entries.filter((entry) => !entry.endsWith('*')));
  const beginnings = new Set(
    entries.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1)),
  );
  const lengths = [...new Set([...beginnings].map(({ length }) => length))];
  return (word) => whole.has(word) || lengths.some((length) => beginnings.has(word.slice(0, length)));
}
