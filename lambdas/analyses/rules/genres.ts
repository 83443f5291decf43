/**
 * Genres of the EBU classification (ContentGenreCS of EBU Tech 3293, with the codes of ETSI TS 102 822-3-1, ContentCS),
 * and the English and Spanish words that indicate them. Codes and names are from the standard. The words are not from the
 * standard. A word with `*` matches all words that begin with it.
 */
export const genres: Readonly<Record<string, Readonly<Record<'name' | 'en' | 'es', string>>>> = {
  '3.1.1.6': {
    name: 'National politics',
    en: 'cabinet, coalition*, congress*, democra*, elect*, government*, legislat*, mayor*, minister*, opposition*, parliament*, party, parties, policy, policies, politic*, president*, prime, referendum*, republican*, senat*, vote*, voter*, voting',
    es: 'alcald*, coalición, congreso*, democra*, diputad*, elecci*, elector*, gobierno*, legislat*, ministr*, oposición, parlament*, partido*, polític*, presidente*, presidenta*, referéndum, república, senado, senador*, votación, votaciones, voto*, votar',
  },
  '3.1.1.7': {
    name: 'Economy, market, finance, business',
    en: 'bank*, bond*, budget*, business*, compan*, currenc*, debt*, dollar*, econom*, euro, euros, export*, financ*, fiscal, growth, industr*, inflation, interest, invest*, loan*, market*, merger*, price*, profit*, recession, revenue*, sales, share*, shareholder*, startup*, stock*, tax*, trade*',
    es: 'accion*, accionista*, banc*, bolsa, ventas, comercio*, competitividad, crecimiento, crédito*, deuda*, dólar*, econom*, empleo, empresa*, empresari*, euro, euros, exporta*, financ*, fiscal*, impuesto*, industria*, inflación, inversi*, inversor*, mercado*, préstamo*, presupuest*, precio*, recesión, tarifa*, beneficios',
  },
  '3.1.1.13': {
    name: 'Weather forecasts',
    en: 'celsius, cloud*, cold, degrees, drizzl*, fog*, forecast*, frost*, gust*, hail*, heatwave, humid*, rain*, shower*, snow*, storm*, sunn*, sunshine, temperature*, thunder*, weather, wind, winds, windy',
    es: 'aguacero*, bochorno, borrasca*, calor, chubasco*, despejad*, frío, granizo, helada*, humedad, lluvi*, llovizna*, meteorol*, niebla*, nieve, nevad*, nub*, nubos*, precipita*, pronóstico, soleado, temperatura*, tiempo, tormenta*, viento*, grados',
  },
  '3.1.2.1': {
    name: 'Religion',
    en: 'allah, apostle*, bible*, bishop*, buddh*, cathedral*, catholic*, christ*, church*, faith*, gospel*, hindu*, holy, imam*, islam*, jesus, jew*, mosque*, muslim*, pope, prayer*, praying, priest*, prophet*, quran, rabbi*, religio*, saint*, sermon*, synagogue*, theolog*, worship*',
    es: 'bautismo, biblia, budis*, catedral*, católic*, cristian*, cristo, cura, dios, ermita, evangeli*, fe, fieles, hindú*, iglesia*, imán, islam*, jesús, judí*, mezquita*, misa, musulm*, obispo*, oración, oraciones, papa, pecado*, profeta*, rezar, rezo*, religi*, sacerdote*, sant*, sinagoga*, teolog*',
  },
  '3.1.3.4': {
    name: 'Legal',
    en: 'acquitt*, attorney*, court, courts, crime, criminal*, defendant*, evidence, judge*, judicial, jur*, justice, law, laws, lawsuit*, lawyer*, legal*, plaintiff*, prison*, prosecut*, sentenc*, testif*, trial*, tribunal*, verdict*, witness*',
    es: 'abogad*, absuelt*, acusad*, audiencia, cárcel, condena*, delito*, demanda*, demandante*, fiscal, fiscalía, juez, jueza, jueces, juicio*, jurad*, jurídic*, justicia, legal*, ley, leyes, magistrad*, prisión, prueba*, sentencia*, testig*, tribunal*, veredicto*',
  },
  '3.1.3.6': {
    name: 'Education',
    en: 'campus*, class, classes, classroom*, college*, course*, curricul*, degree*, educat*, exam*, faculty, graduat*, homework, kindergarten, learn*, lecture*, lesson*, professor*, pupil*, scholarship*, school*, student*, studies, syllabus, teach*, tuition, universit*',
    es: 'alumn*, apren*, asignatura*, aula*, bachillerato, beca*, campus, clase, clases, colegio*, curso*, deberes, docente*, educa*, enseñ*, escol*, escuela*, estudiant*, examen*, exámenes, facultad*, graduad*, instituto*, lección, lecciones, maestr*, matrícula, profesor*, universi*',
  },
  '3.1.3.8': {
    name: 'Military, defence',
    en: 'airstrike*, ammunition, armed, army, armies, artillery, battalion*, bomb*, ceasefire, combat*, defence, defense, drone*, fleet*, general, infantry, invasion*, marine*, militar*, missile*, navy, nato, offensive*, rocket*, soldier*, tank, tanks, troop*, war, warfare, weapon*, wounded',
    es: 'armad*, armas, artillería, batall*, bomba*, bombarde*, combat*, defensa, dron, drones, ejército*, fuerzas, guerra*, infantería, invasi*, marina, militar*, misil*, munici*, ofensiva*, otan, soldado*, tanque*, tregua, tropa*, alto, fuego',
  },
  '3.1.3.10': {
    name: 'Agriculture',
    en: 'agricultur*, barn*, cattle, corn, crop*, dairy, farm*, fertili*, grain*, harvest*, herd*, irrigat*, livestock, orchard*, pesticide*, plough*, seed*, sheep, soil*, tractor*, vineyard*, wheat',
    es: 'agrícol*, agricult*, aceituna*, campesin*, campo, cereal*, cosech*, cultiv*, fertiliz*, ganad*, granja*, invernadero*, maíz, olivar*, oveja*, pesticida*, regad*, riego, semilla*, sembr*, siembra, suelo*, tractor*, trigo, vaca*, viñedo*',
  },
  '3.1.4.1': {
    name: 'Music',
    en: 'album*, band, bands, bass, chord*, choir*, chorus*, compos*, concert*, conductor*, drum*, guitar*, harmon*, instrument*, jazz, lyric*, melod*, music*, musician*, opera*, orchestra*, piano*, pianist*, rhythm*, rock, sing, singer*, singing, song*, symphon*, tempo, tune*, violin*, vocal*',
    es: 'acorde*, álbum*, armoní*, bajo, banda*, batería, canci*, canta*, cantautor*, compás, compositor*, concierto*, coro*, director*, disco*, guitarr*, instrumento*, jazz, letra*, melod*, música*, músic*, ópera*, orquesta*, pian*, ritmo*, rock, sinfon*, tempo, violín, violin*, voz',
  },
  '3.1.4.5': {
    name: 'Cinema',
    en: 'actor*, actress*, animation, box, camera*, cast, cinema*, cinematograph*, director*, documentar*, film*, filmmak*, hollywood, movie*, oscar*, premiere*, producer*, scene*, screen, screenplay*, screenwriter*, sequel*, shooting, trailer*',
    es: 'actor*, actriz, actrices, animación, cámara*, cine*, cineast*, cinematogr*, cortometraje*, director*, documental*, escena*, estreno*, fotograma*, goya, goyas, guion*, hollywood, largometraje*, óscar*, pantalla, película*, productor*, protagonist*, rodaje*, taquilla, tráiler*',
  },
  '3.1.4.9': {
    name: 'Fine arts',
    en: 'art, artist*, artwork*, brush*, canvas*, caravaggio, exhibit*, fresco*, galler*, goya, impressionis*, masterpiece*, monet, museum*, oil, paint*, picasso, portrait*, prado, rembrandt, sculpt*, sketch*, velázquez, watercolo*',
    es: 'acuarela*, arte, artes, artist*, boceto*, bodegón, bodegones, cuadro*, escult*, exposici*, fresco*, galería*, goya, impresionis*, lienzo*, museo*, óleo*, obra*, picasso, pincel*, pint*, prado, retrato*, velázquez',
  },
  '3.1.5.1': {
    name: 'Literature',
    en: 'author*, autobiograph*, book*, chapter*, character*, essay*, fiction, literar*, literature, manuscript*, narrat*, narrator, novel*, plot, poem*, poet*, poetry, prose, publish*, read, reader*, reading, story, stories, verse*, writer*, writing',
    es: 'autor*, autobiogr*, capítulo*, cuento*, editorial*, ensay*, escrit*, escribir, ficción, lector*, lectura*, libro*, literar*, literatura, manuscrito*, narra*, novel*, personaje*, poema*, poesía, poeta*, poetisa, prosa, relato*, trama, verso*',
  },
  '3.1.5.3': {
    name: 'History',
    en: 'ancient, archaeolog*, archive*, battle*, bronze, castle*, centur*, civili*, coloni*, conquer*, conquest*, crusad*, dynast*, emperor*, empire*, historian*, histor*, king, kings, kingdom*, medieval, middle, monarch*, pharaoh*, queen*, reign*, renaissance, revolution*, roman, romans, rome, throne*',
    es: 'antigu*, arqueolog*, archivo*, batalla*, bronce, castillo*, civiliz*, coloni*, conquist*, cruzada*, dinastía*, edad, emperador*, imperi*, histor*, medieval*, monarqu*, faraón*, reina*, reinado*, reino*, renacimiento, revoluci*, rey, reyes, roman*, siglo*, trono*',
  },
  '3.1.6.3': {
    name: 'Animals, wildlife',
    en: 'animal*, bear, bears, bird*, breed*, cat, cats, dog, dogs, dolphin*, eagle*, elephant*, feather*, fish*, forest*, habitat*, insect*, lion*, mammal*, nest*, owl, owls, predator*, prey, reptile*, safari*, shark*, species, tiger*, whale*, wild, wildlife, wolf, wolves, zoo*',
    es: 'águila*, animal*, ave, aves, ballena*, bosque*, búho*, cría*, delfín, delfines, depredador*, elefante*, especie*, fauna, gato*, hábitat*, insecto*, león, leones, lobo*, mamífero*, nido*, oso, osos, pájaro*, perro*, peces, presa*, reptil*, salvaje*, safari*, tiburón, tiburones, tigre*, zoo, zoológico*',
  },
  '3.1.6.4': {
    name: 'Environment, geography',
    en: 'biodivers*, carbon, climat*, conservation, coral, deforest*, drought*, earthquake*, ecolog*, ecosystem*, emission*, environment*, erosion, flood*, fossil, glacier*, global, greenhouse, ice, mountain*, ocean*, planet, plastic*, pollut*, recycl*, renewable*, river*, sustainab*, volcano*, warming, wetland*',
    es: 'biodivers*, carbono, clima, climátic*, conservación, coral*, deforest*, sequía*, terremoto*, ecolog*, ecosistema*, emisi*, ambiental*, ambiente, erosión, inunda*, fósil*, glaciar*, invernadero, montaña*, océano*, planeta, plástico*, contamina*, recicl*, renovable*, río, ríos, sostenib*, volcán, volcanes, calentamiento, humedal*',
  },
  '3.1.6.5': {
    name: 'Space, universe',
    en: 'asteroid*, astronaut*, astronom*, comet*, constellation*, cosmo*, esa, galax*, gravit*, hubble, jupiter, launch*, lunar, mars, meteor*, moon*, nasa, nebula*, orbit*, planet*, rocket*, rover*, satellite*, saturn, solar, space, spacecraft, star, stars, telescope*, universe',
    es: 'asteroide*, astronauta*, astrón*, astronom*, cometa*, constelaci*, cosmo*, esa, espaci*, galaxia*, gravedad, hubble, júpiter, lanzamiento*, lunar, luna, marte, meteor*, nasa, nave, nebulosa*, órbita*, planeta*, cohete*, satélite*, saturno, solar, estrella*, sonda*, telescopio*, universo',
  },
  '3.1.6.6': {
    name: 'Physical sciences',
    en: 'acid*, atom*, catalys*, chemi*, collider, einstein, electron*, element*, energy, equation*, experiment*, hydrogen, ion*, isotope*, laborator*, laser*, magnet*, molecul*, neutron*, nuclear, nucleus, particle*, photon*, physic*, proton*, quantum, radiation, relativity, thermodynamic*, wave, waves',
    es: 'ácido*, átomo*, atómic*, cataliz*, químic*, colisionador, einstein, electron*, electrón*, elemento*, energía, ecuaci*, experiment*, hidrógeno, ion, iones, isótopo*, laboratorio*, láser, magnét*, molécula*, molecular*, neutr*, nuclear*, núcleo*, partícula*, fotón, fotones, físic*, protón, protones, cuántic*, radiación, relatividad, termodinámic*, onda*',
  },
  '3.1.6.7': {
    name: 'Health, medicine',
    en: 'antibiotic*, blood, brain, cancer*, cardi*, cell, cells, clinic*, diabet*, diagnos*, diseas*, doctor*, drug*, epidem*, gene, genetic*, health*, heart, hospital*, immun*, infect*, medic*, nurse*, pandemic*, patient*, pharma*, physician*, surger*, surgeon*, symptom*, therap*, treatment*, tumo*, vaccin*, virus*',
    es: 'antibiótic*, sangre, cerebr*, cáncer*, cardi*, célula*, clínic*, diabet*, diagn*, enferm*, doctor*, fármaco*, epidem*, gen, genes, genétic*, salud, corazón, hospital*, inmun*, infecci*, médic*, medic*, pandemia*, paciente*, farmac*, cirug*, cirujan*, síntoma*, terap*, tratamiento*, tumor*, vacun*, virus',
  },
  '3.1.6.8': {
    name: 'Technology',
    en: 'algorithm*, android, app, apps, artificial, automat*, battery, chip, chips, cloud, comput*, cyber*, data, database*, device*, digital, electronic*, engineer*, hacker*, hardware, innovat*, intelligence, internet, iphone, laptop*, machine*, network*, online, password*, phone*, processor*, program*, robot*, screen, semiconductor*, server*, smartphone*, software, startup*, tech, technolog*, virtual, web, wireless',
    es: 'algoritm*, android, aplicaci*, artificial, automatiz*, batería*, chip, chips, nube, comput*, ciber*, datos, dispositivo*, digital*, electrónic*, ingenier*, hacker*, hardware, innova*, inteligencia, internet, iphone, portátil*, máquina*, red, redes, contraseña*, móvil, móviles, procesador*, programa*, robot*, pantalla*, semiconductor*, servidor*, smartphone*, software, tecnolog*, virtual*, web, inalámbric*, ordenador*',
  },
  '3.1.6.10': {
    name: 'Psychology',
    en: 'anxiety, behavio*, cogniti*, conscious*, depressi*, emotion*, freud, memory, mental, mind, mindful*, motivat*, neuroscien*, percept*, personalit*, psychiatr*, psycholog*, self, subconscious*, therap*, therapist*, trauma*',
    es: 'ansiedad, comportamiento*, conducta*, cogni*, conscien*, depresi*, emoci*, emocional*, freud, memoria, mental*, mente*, motivaci*, neurocien*, percepci*, personalidad*, psiqui*, psicol*, subconscien*, terap*, trauma*',
  },
  '3.1.6.13': {
    name: 'Mathematics',
    en: 'algebra*, arithmetic, axiom*, calculus, coefficient*, derivative*, equation*, exponent*, fraction*, function*, geometr*, integral*, logarithm*, math*, matrix, matrices, number*, polynomial*, prime*, probabilit*, proof*, pythagor*, statistic*, theorem*, triangle*, trigonometr*, variable*, vector*',
    es: 'álgebra*, algebr*, aritmétic*, axioma*, cálculo*, coeficiente*, derivada*, ecuaci*, exponente*, fracci*, función, funciones, geometr*, integral*, logaritmo*, matemátic*, matriz, matrices, número*, polinomi*, primo*, probabilidad*, demostraci*, pitágoras, estadístic*, teorema*, triángulo*, trigonom*, variable*, vector*',
  },
  '3.1.8': {
    name: 'Transport and communications',
    en: 'aircraft, airline*, airport*, bus, buses, cargo, ferr*, flight*, freight, harbour*, harbor*, highway*, locomotive*, metro, motorway*, passenger*, pilot*, plane, planes, port, rail*, road*, ship, ships, shipping, station*, subway*, train, trains, tram*, transport*, truck*, tunnel*',
    es: 'aeropuerto*, aerolínea*, autobús*, autobuses, autopista*, autovía*, avión, aviones, barco*, buque*, camión, camiones, carga, carretera*, estación, estaciones, ferrocarril*, ferroviar*, ferri*, locomotora*, metro, pasajer*, piloto*, puerto*, tranvía*, transport*, tren, trenes, túnel*, vuelo*',
  },
  '3.1.10.1': {
    name: 'Advertising',
    en: 'advert*, audience*, banner*, brand*, campaign*, commercial*, consumer*, copywrit*, customer*, marketing, promot*, slogan*, sponsor*, target*',
    es: 'anunci*, audiencia*, campaña*, cliente*, comercial*, consumidor*, eslogan*, esponsor*, marca*, marketing, mercadotecnia, patrocin*, promoci*, publici*',
  },
  '3.2.1': {
    name: 'Athletics',
    en: 'athlet*, decathlon, discus, hurdl*, javelin, jump*, marathon*, medal*, olympic*, pole, race, races, record*, relay*, run, runner*, running, shot, sprint*, stadium, track',
    es: 'atlet*, atletismo, decatlón, disco, vallas, jabalina, salto*, maratón*, medalla*, olímpic*, pértiga, carrera*, récord*, relevo*, corredor*, correr, velocista*, estadio*, pista',
  },
  '3.2.2': {
    name: 'Cycling',
    en: 'bicycl*, bike*, breakaway, climb*, cycl*, cyclist*, giro, jersey, pedal*, peloton*, rider*, sprint*, stage, stages, tour, velodrome, vuelta, wheel*',
    es: 'bici*, ciclis*, escalador*, escapad*, etapa*, giro, maillot*, pedal*, pelotón, puerto*, sprint*, tour, velódromo, vuelta, rueda*',
  },
  '3.2.3.8': {
    name: 'Basketball',
    en: 'acb, assist*, basket*, coach*, court, defen*, dribbl*, dunk*, foul*, hoop*, lakers, nba, playoff*, point*, quarter*, rebound*, referee*, score*, shoot*, slam, team*, three*, tip',
    es: 'acb, asistenc*, balonces*, baloncest*, base, canasta*, defens*, entrenador*, equipo*, falta*, mate, nba, pívot*, playoff*, punto*, rebote*, árbitro*, cuarto*, triple*, tiro*',
  },
  '3.2.3.12': {
    name: 'Football (soccer)',
    en: 'barcelona, champions, coach*, corner*, cup, defender*, derby, fifa, football*, forward, foul*, goal*, goalkeep*, header, kick*, league*, madrid, match*, midfield*, offside, penalt*, pitch, player*, referee*, score*, season*, soccer, stadium*, striker*, team*, transfer*, uefa',
    es: 'árbitro*, barça, barcelona, campeonato*, copa, córner*, defensa*, delanter*, derbi*, entrenador*, equipo*, estadio*, fichaje*, fifa, fútbol*, futbol*, gol, goles, jugador*, liga, madrid, marcador, mundial, partido*, penalti*, portero*, selección, temporada*, uefa, victoria, centrocampista*',
  },
  '3.2.4.7': {
    name: 'Tennis',
    en: 'ace, aces, backhand*, court*, deuce, federer, forehand*, garros, grand, nadal, djokovic, alcaraz, match*, racket*, racquet*, rally, rallies, seed*, serve*, serving, set, sets, slam, tennis, tie, tournament*, volley*, wimbledon',
    es: 'alcaraz, cancha*, djokovic, federer, garros, nadal, partido*, pista*, raqueta*, resto, revés, saque*, servicio*, set, sets, tenis*, tenista*, torneo*, volea*, wimbledon, derecha, dejada*, ace, aces',
  },
  '3.2.8': {
    name: 'Motor sports',
    en: 'alonso, circuit*, driver*, engine*, ferrari, formula, gear*, grand, grid, hamilton, lap, laps, mclaren, mercedes, motogp, motorcycl*, pit, pole, podium, prix, qualify*, race, races, racing, rally, speed, track*, tyre*, verstappen',
    es: 'alonso, boxes, carrera*, circuito*, conductor*, clasificaci*, ferrari, fórmula, gran, hamilton, márquez, mclaren, mercedes, moto, motogp, motociclis*, motor*, neumático*, parrilla, piloto*, podio*, pole, premio, rally, sainz, velocidad, verstappen, vuelta*',
  },
  '3.8.3': {
    name: 'Cookery, food, drink',
    en: 'bak*, boil*, bread, butter, chef*, chees*, chicken, chocolate, cook*, cream, cuisine*, delicious, dessert*, dinner*, dish, dishes, dough, egg, eggs, flavo*, flour, food*, fry, frying, garlic, ingredient*, kitchen*, meal*, meat, oil, olive, onion*, oven*, pan, pepper*, recipe*, restaurant*, rice, roast*, salt, sauce*, season*, simmer*, soup*, spice*, stir, sugar, tablespoon*, tast*, teaspoon*, tomato*, vegetable*, wine*',
    es: 'aceite*, aceituna*, ajo*, arroz, asar, azúcar, carne*, cazuela*, cebolla*, cena*, chef*, chocolate, cocer, cocin*, comida*, crema, cuchara*, delicios*, dulce*, ensalada*, fre*, gastronom*, guiso*, harina, hervir, horn*, huevo*, ingrediente*, leche, mantequilla, masa, menú*, olla*, pan, pimient*, plato*, pollo, postre*, queso*, receta*, restaurante*, sabor*, sal, salsa*, sartén, sartenes, sopa*, tomate*, verdura*, vino*',
  },
  '3.8.4.3': {
    name: 'Gardening',
    en: 'bloom*, blossom*, bulb*, compost*, fertili*, flower*, garden*, greenhouse*, hedge*, lawn*, mulch*, plant*, pot, pots, prun*, rose*, seed*, seedling*, shrub*, soil*, spade*, sprout*, water*, weed*',
    es: 'abono*, arbusto*, césped, compost*, fertiliz*, flor, flores, florec*, jardín, jardines, jardiner*, huert*, invernadero*, maceta*, maleza, plant*, pod*, poda, regar, riego, rosa*, rosal*, semilla*, seto*, sustrato, tierra',
  },
  '3.8.6': {
    name: 'Cars and motoring',
    en: 'automotive, brake*, car, cars, clutch*, diesel, driv*, electric, engine*, fuel, gasoline, gear*, garage*, hybrid*, mileage, motor*, parking, petrol, sedan, steer*, suv, suvs, torque, traffic, transmission*, tyre*, vehicle*',
    es: 'automóvil*, automovil*, coche*, combustible, conduc*, diésel, eléctric*, embrague, freno*, garaje*, gasolina, híbrid*, marcha*, motor*, neumático*, par, aparca*, sedán, todoterreno*, tráfico, transmisión, vehículo*, volante, cilindrada',
  },
  '3.8.7.1': {
    name: 'Fitness',
    en: 'abs, aerobic*, breath*, calori*, cardio, coach, dumbbell*, exercis*, fitness, gym, gyms, inhale, exhale, lunge*, muscle*, pilates, plank*, posture, push, repetition*, reps, sets, squat*, stretch*, train*, treadmill, warm, weight*, workout*, yoga',
    es: 'abdominal*, aerób*, respir*, caloría*, cardio, entrena*, ejercicio*, estira*, estiramiento*, flexi*, gimnasi*, inhala, exhala, mancuerna*, músculo*, muscular*, pesas, pilates, plancha*, postura*, repetici*, series, sentadilla*, yoga, zancada*',
  },
  '3.8.9': {
    name: 'Travel, tourism',
    en: 'adventure*, airport*, backpack*, beach*, booking, cruise*, destination*, explor*, flight*, guide*, holiday*, hostel*, hotel*, itinerar*, journey*, landmark*, luggage, map, passport*, resort*, sightsee*, souvenir*, suitcase*, tour, tourism, tourist*, travel*, trip, trips, vacation*, visit*, visitor*, voyage*',
    es: 'aeropuerto*, alojamiento*, aventura*, crucero*, destino*, equipaje*, excursi*, explora*, guía*, hostal*, hotel*, itinerario*, maleta*, mapa*, mochil*, monumento*, pasaporte*, playa*, recuerdo*, reserva*, ruta*, turis*, vacacion*, viaj*, visit*, vuelo*',
  },
};
