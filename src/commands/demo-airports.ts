/** The demo's airports: a table with most kinds of columns. An empty value is NULL. */
const written = `
FRA|Frankfurt|DE|50.0333|8.5706|111|4.00|1936-07-08|t|https://www.frankfurt-airport.com/
MUC|Munich|DE|48.3538|11.7861|453|4.00|1992-05-17|t|https://www.munich-airport.com/
BER|Berlin Brandenburg|DE|52.3667|13.5033|48|4.00|2020-10-31|t|https://ber.berlin-airport.de/
LHR|London Heathrow|GB|51.4706|-0.4619|25|3.90|1946-03-25|t|https://www.heathrow.com/
CDG|Paris Charles de Gaulle|FR|49.0097|2.5478|119|4.20|1974-03-08|t|https://www.parisaeroport.fr/
AMS|Amsterdam Schiphol|NL|52.3081|4.7642|-3|3.80||t|https://www.schiphol.nl/
ZRH|Zurich|CH|47.4647|8.5492|432|3.70|1948-06-14|t|https://www.flughafen-zuerich.ch/
VIE|Vienna|AT|48.1103|16.5697|183|3.60||t|https://www.viennaairport.com/
CPH|Copenhagen Kastrup|DK|55.6181|12.6561|5|3.60|1925-04-20|t|https://www.cph.dk/
OSL|Oslo Gardermoen|NO|60.1939|11.1004|208|3.60|1998-10-08|t|https://avinor.no/
HEL|Helsinki-Vantaa|FI|60.3172|24.9633|55|3.50|1952-07-10|t|https://www.finavia.fi/
KEF|Keflavík|IS|63.9850|-22.6056|52|3.05||f|https://www.kefairport.com/
MAD|Madrid-Barajas|ES|40.4719|-3.5626|610|4.18|1931-04-22|t|https://www.aena.es/
LIS|Lisbon Humberto Delgado|PT|38.7742|-9.1342|114|3.71|1942-10-15|t|
ATH|Athens Eleftherios Venizelos|GR|37.9364|23.9444|94|4.00|2001-03-28|t|https://www.aia.gr/
IST|Istanbul|TR|41.2753|28.7519|99|4.10|2018-10-29|t|https://www.istairport.com/
DOH|Doha Hamad|QA|25.2731|51.6081|4|4.85|2014-04-30|t|https://dohahamadairport.com/
DEL|Delhi Indira Gandhi|IN|28.5665|77.1031|237|4.43||t|https://www.newdelhiairport.in/
BLR|Bengaluru Kempegowda|IN|13.1979|77.7063|915|4.00|2008-05-24|f|https://www.bengaluruairport.com/
BKK|Bangkok Suvarnabhumi|TH|13.6811|100.7475|2|4.00|2006-09-28|t|
KUL|Kuala Lumpur|MY|2.7456|101.7099|21|4.12|1998-06-27|t|https://www.klia.com.my/
SIN|Singapore Changi|SG|1.3502|103.9944|7|4.00|1981-07-01|t|https://www.changiairport.com/
HKG|Hong Kong|HK|22.3089|113.9146|9|3.80|1998-07-06|t|https://www.hongkongairport.com/
PVG|Shanghai Pudong|CN|31.1434|121.8052|4|4.00|1999-10-01|t|
PKX|Beijing Daxing|CN|39.5092|116.4106|30|3.80|2019-09-25|t|
ICN|Seoul Incheon|KR|37.4691|126.4505|7|4.00|2001-03-29|t|https://www.airport.kr/
HND|Tokyo Haneda|JP|35.5523|139.7797|6|3.36|1931-08-25|t|https://tokyo-haneda.com/
NRT|Tokyo Narita|JP|35.7647|140.3864|43|4.00|1978-05-20|t|https://www.narita-airport.jp/
KIX|Osaka Kansai|JP|34.4347|135.2440|5|4.00|1994-09-04|t|https://www.kansai-airport.or.jp/
SYD|Sydney Kingsford Smith|AU|-33.9461|151.1772|6|3.96||t|https://www.sydneyairport.com.au/
AKL|Auckland|NZ|-37.0081|174.7917|7|3.64|1966-01-29|f|https://www.aucklandairport.co.nz/
JNB|Johannesburg O. R. Tambo|ZA|-26.1392|28.2460|1694|4.42||t|https://www.airports.co.za/
NBO|Nairobi Jomo Kenyatta|KE|-1.3192|36.9278|1624|4.12||f|https://www.kaa.go.ke/
ADD|Addis Ababa Bole|ET|8.9778|38.7994|2334|3.80||f|
CMN|Casablanca Mohammed V|MA|33.3675|-7.5900|200|3.72||t|
GRU|São Paulo Guarulhos|BR|-23.4356|-46.4731|750|3.70|1985-01-20|t|https://www.gru.com.br/
EZE|Buenos Aires Ezeiza|AR|-34.8222|-58.5358|20|3.30||f|
BOG|Bogotá El Dorado|CO|4.7016|-74.1469|2548|3.80||f|https://eldorado.aero/
MEX|Mexico City Benito Juárez|MX|19.4363|-99.0721|2230|3.95||t|https://www.aicm.com.mx/
JFK|New York John F. Kennedy|US|40.6398|-73.7789|4|4.42|1948-07-01|t|https://www.jfkairport.com/
ATL|Atlanta Hartsfield-Jackson|US|33.6367|-84.4281|313|3.78||t|https://www.atl.com/
DEN|Denver|US|39.8617|-104.6731|1655|4.88|1995-02-28|t|https://www.flydenver.com/
DFW|Dallas Fort Worth|US|32.8969|-97.0381|185|4.09|1974-01-13|t|https://www.dfwairport.com/
SFO|San Francisco|US|37.6188|-122.3750|4|3.62|1927-05-07|t|https://www.flysfo.com/
YYZ|Toronto Pearson|CA|43.6772|-79.6306|173|3.39||t|https://www.torontopearson.com/
YVR|Vancouver|CA|49.1939|-123.1844|4|3.50||t|https://www.yvr.ca/`;

/** The rows as code, name, country, latitude, longitude, elevation, runway, opened, rail and website. */
export const airports: readonly (readonly (string | null)[])[] = written
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell || null));
